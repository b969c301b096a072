// The scripts that run inside Redis. Redis runs a script alone, so checking both limits, spending them and counting the
// usage is one indivisible step, whatever number of nodes ask at once.
//
// A limit is a list: [base, end 1, total 1, end 2, total 2, …]. An entry's total counts all admissions up to it, base
// is the total of what has left, so what is used is the last element minus the first, and dropping an entry is cutting off
// two elements: its total becomes the base by itself. `sliding-window.ts` says what an entry is. Entries that have left
// are found by steps that double, so a call costs about the same whether the caller was away a second or a day.
//
// The usage of a caller and day is a hash: `born`, and fields for each endpoint and run of the Redis server (the
// "epoch"). A server that restarts from an old snapshot is another run and counts in new fields; a hash that was lost
// is born anew. So no counter known by its epoch, birth and endpoint ever goes down, which is what lets the roll-up
// write absolute values. A refund is a counter of its own for the same reason.
//
// Times are whole microseconds of Redis' own clock, so nodes' clocks do not matter. The clock is part of the script's
// text, for tests to put a simulated one there. Large numbers are never concatenated: Lua would round them.

export const REDIS_CLOCK = `(function()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end)()`

/** Beyond the window, so that a list is never gone before its entries are. */
const SPARE_MS = 60_000
export const USAGE_LIFE_MS = 5 * 86_400_000

/** Several LINDEX cost less than one LRANGE, and a string costs less than a number. */
const WINDOWS = `
local call = redis.call

local function firstAbove(key, offset, bound)
  local function isAbove(entry)
    local value = call('LINDEX', key, 2 * entry + offset)
    return not value or tonumber(value) > bound
  end
  local low, high = 0, 1
  while not isAbove(high) do low, high = high, 2 * high end
  while high - low > 1 do
    local middle = math.floor((low + high) / 2)
    if isAbove(middle) then high = middle else low = middle end
  end
  return high
end

local function weigh(key, count, window)
  local newest = tonumber(call('LINDEX', key, '-2') or 0)
  local left = now - window
  if newest <= left then
    call('DEL', key)
    return 0, 0, nil, 0
  end
  local first = tonumber(call('LINDEX', key, '1'))
  if first <= left then
    call('LTRIM', key, 2 * firstAbove(key, -1, left) - 2, '-1')
    first = tonumber(call('LINDEX', key, '1'))
  end
  local total = tonumber(call('LINDEX', key, '-1'))
  local used, wait = total - call('LINDEX', key, '0'), 0
  if used == count then wait = first - left end
  if used > count then wait = call('LINDEX', key, 2 * firstAbove(key, 0, total - count) - 1) - left end
  return used, wait, first, total, newest
end

local function record(key, ends, total, newest)
  if newest and newest >= ends then
    call('LSET', key, '-1', total + 1)
    return false
  end
  local text = string.format('%.0f', ends)
  if newest then call('RPUSH', key, text, total + 1) else call('RPUSH', key, '0', text, '1') end
  return true
end
`

const SPEND = `
local burstCount, burstWindow = tonumber(ARGV[1]), tonumber(ARGV[2])
local sustainedCount, sustainedWindow = tonumber(ARGV[3]), tonumber(ARGV[4])
local field, cap = ARGV[5], tonumber(ARGV[6])
local monthKey, monthWait = nil, 0

if cap then
  monthKey = KEYS[4] .. ARGV[7]
  local used = call('GET', monthKey)
  if now < tonumber(ARGV[8]) or now >= tonumber(ARGV[9]) then return { 4, now / 1000 } end
  if not used then
    if ARGV[10] == '' then return { 4, now / 1000 } end
    used = ARGV[10]
    call('SET', monthKey, used, 'PX', ARGV[11])
  end
  if tonumber(used) >= cap then monthWait = ARGV[9] - now end
end

local burstUsed, burstWait, burstFirst, burstTotal, burstNewest = weigh(KEYS[1], burstCount, burstWindow)
local used, wait, first, total, newest = weigh(KEYS[2], sustainedCount, sustainedWindow)
local day = math.floor(now / 86400000000)

local function seconds(moment) return math.ceil((moment - now) / 1000000) end

local longest = math.max(burstWait, wait, monthWait)
if longest > 0 then
  local code = longest == burstWait and 1 or longest == wait and 2 or 3
  local burstReset = burstWait > 0 and now + burstWait or burstFirst and burstFirst + burstWindow or now
  local reset = wait > 0 and now + wait or first and first + sustainedWindow or now
  return { code, seconds(now + longest), math.max(0, burstCount - burstUsed), seconds(burstReset),
    math.max(0, sustainedCount - used), seconds(reset), day }
end

local bucket = sustainedWindow / 1440
local ends = math.ceil((math.floor(now / bucket) + 1) * bucket)
record(KEYS[1], now, burstTotal, burstNewest)
-- The lists' lives are renewed with every bucket, so they are given a bucket more than a window.
if record(KEYS[2], ends, total, newest) or not burstNewest then
  call('PEXPIRE', KEYS[1], math.ceil((ends - now + burstWindow) / 1000) + ${SPARE_MS})
  call('PEXPIRE', KEYS[2], math.ceil((ends - now + sustainedWindow) / 1000) + ${SPARE_MS})
end
if field ~= '' then
  local usage = KEYS[3] .. day
  if call('HINCRBY', usage, field, '1') == 1 then
    call('HSETNX', usage, 'born', now)
    call('PEXPIRE', usage, ${USAGE_LIFE_MS})
  end
  if monthKey then call('INCR', monthKey) end
end
return { 0, 0, burstCount - burstUsed - 1, seconds((burstFirst or now) + burstWindow),
  sustainedCount - used - 1, seconds((first or ends) + sustainedWindow), day }
`

const WEIGH = `
local function state(key, count, window)
  local used, wait, first = weigh(key, count, window)
  local reset = wait > 0 and wait or first and first + window - now or 0
  return math.max(0, count - used), math.ceil(reset / 1000000)
end
local burst, burstReset = state(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]))
local sustained, sustainedReset = state(KEYS[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
return { burst, burstReset, sustained, sustainedReset }
`

/**
 * KEYS: burst, sustained. ARGV: burst count, burst window, sustained count, sustained window.
 * Gives [burst remaining, burst reset, sustained remaining, sustained reset], in seconds. It writes only in that it drops
 * what has left the windows, as the next spending would.
 */
export const weighScript = (clock: string): string => `local now = ${clock}${WINDOWS}${WEIGH}`

/**
 * KEYS: burst, sustained, prefix of the usage (+ day), prefix of the month (+ month). All in one slot.
 * ARGV: burst count, burst window, sustained count, sustained window, usage field or '',
 *       and with a cap: cap, month, its start, its end, seed or '', the seed's life in ms.
 * Gives [code, retry after, burst remaining, burst reset, sustained remaining, sustained reset, day], in seconds, where
 * code is 0 admitted, 1 burst, 2 sustained, 3 month; or [4, now in ms] when the month's usage must be given first.
 */
export const spendScript = (clock: string): string => `local now = ${clock}${WINDOWS}${SPEND}`

/**
 * KEYS: the usage of the day, and the month or a key that does not exist. ARGV: counted field, refunded field.
 * A count that was lost together with its hash has nothing to be taken back from.
 */
export const REFUND_SCRIPT = `
local counted, refunded = unpack(redis.call('HMGET', KEYS[1], ARGV[1], ARGV[2]))
if tonumber(counted or 0) > tonumber(refunded or 0) then
  redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
  if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('DECR', KEYS[2]) end
end
`
