// The scripts that run inside Redis. Redis runs a script atomically, so checking both limits, spending them and
// counting the usage is one indivisible step, however many nodes call it at once.
//
// A limit is a list: [base, end 1, total 1, end 2, total 2, …]. The total of an entry counts all admissions up to it,
// and base is the total of those that have left the window. So the amount used is the last element minus the first, and
// an entry is dropped by cutting off two elements: its total then becomes the base. `sliding-window.ts` explains what
// an entry is. Expired entries are found in doubling steps, so a call costs about the same whether the caller was last
// seen a second or a day ago.
//
// The usage of a caller and day is a hash: `born`, and fields for each endpoint and run of the Redis server (the
// "epoch"). A server that restarts from an old snapshot is a new run and counts in new fields; a hash that was lost
// gets a new `born`. So no counter, identified by epoch, birth and endpoint, ever goes down, which lets the roll-up
// write absolute values. For the same reason, a refund is a counter of its own.
//
// A script that counts must run once. Each call says by when it must have run, and after that deadline it does nothing:
// the node has long decided by itself. It also leaves the number of the call in the usage hash (`ran:<connection>`, with
// the others that have not been answered yet), so that a node whose connection broke before the reply came can find out
// whether the call was counted (`unsettled-calls.ts`). And it returns the new value of its counter, so that the count survives if Redis loses its
// data (`unrolled-usage.ts`).
//
// Times are whole microseconds of Redis' own clock, so the nodes' clocks do not matter. The clock is part of the
// script's text, so that tests can substitute a simulated one. Large numbers are never concatenated: Lua would round
// them.

import { NO_USER_LIMITS, SPARE_MS, type UserScript } from './users/user-limits-script.ts'

export const REDIS_CLOCK = `(function()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end)()`

/** The code of a call that did nothing because its deadline had passed. */
export const LATE = 5

/** Deadlines are about real time, even where the windows run on a simulated clock. */
const realTime = (clock: string): string => (clock === REDIS_CLOCK ? 'now' : REDIS_CLOCK)

const unlessLate = (clock: string): string => `
if ${realTime(clock)} > tonumber(ARGV[#ARGV]) then return { ${LATE} } end
`

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

local function peek(key, count, window)
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
  -- The window may be wider than those of its entries were.
  if wait > 0 then call('PEXPIRE', key, math.ceil((newest - left) / 1000) + ${SPARE_MS}) end
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

/** Of a list of calls, in bytes. Past that, those that were answered are taken out. */
const LONG_LIST = 1_000

/** Leaves the number of this call. The last arguments are run, connection, number, highest number answered, deadline. */
const NOTE_CALL = `
local function noteCall(usage)
  local field = 'ran:' .. ARGV[#ARGV - 3]
  local ran = redis.call('HGET', usage, field) or ''
  if #ran > ${LONG_LIST} then
    local answered, open = tonumber(ARGV[#ARGV - 1]), {}
    for number in string.gmatch(ran, '%d+') do
      if tonumber(number) > answered then open[#open + 1] = number end
    end
    ran = table.concat(open, ' ')
  end
  redis.call('HSET', usage, field, ARGV[#ARGV - 2] .. ' ' .. ran)
end
`

const consumeBody = (user: UserScript): string => `
local burstCount, burstWindow = tonumber(ARGV[1]), tonumber(ARGV[2])
local sustainedCount, sustainedWindow = tonumber(ARGV[3]), tonumber(ARGV[4])
local endpoint, cap = ARGV[5], #ARGV > 10 and tonumber(ARGV[6])
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

${user.check}
local burstUsed, burstWait, burstFirst, burstTotal, burstNewest = peek(KEYS[1], burstCount, burstWindow)
local used, wait, first, total, newest = peek(KEYS[2], sustainedCount, sustainedWindow)
local day = math.floor(now / 86400000000)

local function seconds(moment) return math.ceil((moment - now) / 1000000) end

local longest, code = math.max(burstWait, wait, monthWait), nil
if longest > 0 then code = longest == burstWait and 1 or longest == wait and 2 or 3 end
${user.compare}
if longest > 0 then
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
${user.record}
local counted, born
if endpoint ~= '' then
  local usage = KEYS[3] .. day
  counted = call('HINCRBY', usage, 'counted:' .. ARGV[#ARGV - 4] .. ':' .. endpoint, '1')
  if counted == 1 then
    call('HSETNX', usage, 'born', now)
    call('PEXPIRE', usage, ${USAGE_LIFE_MS})
  end
  noteCall(usage)
  born = tonumber(call('HGET', usage, 'born'))
  if monthKey then call('INCR', monthKey) end
  ${user.count}
end
return string.format('0 0 %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %s', burstCount - burstUsed - 1,
  seconds((burstFirst or now) + burstWindow), sustainedCount - used - 1, seconds((first or ends) + sustainedWindow),
  day, now, counted or 0, born or 0, ARGV[#ARGV - 4])
`

const PEEK = `
local function state(key, count, window)
  local used, wait, first = peek(key, count, window)
  local reset = wait > 0 and wait or first and first + window - now or 0
  return math.max(0, count - used), math.ceil(reset / 1000000)
end
local burst, burstReset = state(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]))
local sustained, sustainedReset = state(KEYS[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
return { burst, burstReset, sustained, sustainedReset }
`

/**
 * KEYS: burst, sustained. ARGV: burst count, burst window, sustained count, sustained window.
 * Returns [burst remaining, burst reset, sustained remaining, sustained reset], in seconds. It only drops what
 * has left the windows, or prolongs what fills one, as the next spending would.
 */
export const peekScript = (clock: string): string => `local now = ${clock}${WINDOWS}${PEEK}`

/**
 * KEYS: burst, sustained, prefix of the usage (+ day), prefix of the month (+ month). All in one slot.
 * ARGV: burst count, burst window, sustained count, sustained window, endpoint or '',
 *       with a cap: cap, month, its start, its end, seed or '', the seed's life in ms,
 *       and always: run, connection, number of the call, highest number answered, deadline.
 * Returns [code, retry after, burst remaining, burst reset, sustained remaining, sustained reset, day], in seconds. The
 * code is 0 admitted, 1 burst, 2 sustained, 3 month. An admission adds [now, counted, born, run], with zeros if
 * it does not count, and is one text with spaces in between: ioredis takes much longer to read a list. Or [4, now in ms] if the month's usage must be supplied first, or [5] if it is too late.
 *
 * With limits for all of a user's keys together, there are more keys and arguments: `user-limits-script.ts`.
 */
export const consumeScript = (clock: string, user: UserScript = NO_USER_LIMITS): string =>
  `local now = ${clock}${unlessLate(clock)}${WINDOWS}${NOTE_CALL}${consumeBody(user)}`

/**
 * KEYS: the usage of the day, and the months of the key and of its user, or keys that do not exist.
 * ARGV: counted field, refunded field, the run they belong to; run, connection, number of the call, highest number
 *       answered, deadline.
 * Returns [1, now, counted, born, refunded], or [0] if Redis has lost the count or this is another run, in which nothing
 * may change the counters of the former; or [5] if it is too late.
 */
export const refundScript = (clock: string): string => `local now = ${clock}${unlessLate(clock)}${NOTE_CALL}
local call = redis.call
if ARGV[3] ~= ARGV[#ARGV - 4] then return { 0 } end
local counted, refunded, born = unpack(call('HMGET', KEYS[1], ARGV[1], ARGV[2], 'born'))
if tonumber(counted or 0) <= tonumber(refunded or 0) then return { 0 } end
noteCall(KEYS[1])
for i = 2, 3 do
  if call('EXISTS', KEYS[i]) == 1 then call('DECR', KEYS[i]) end
end
return { 1, now, tonumber(counted), tonumber(born), call('HINCRBY', KEYS[1], ARGV[2], 1) }
`

/**
 * KEYS: the usage of the days on which calls may have run. ARGV: connection, deadline.
 * Returns the numbers of the calls that ran and were possibly not answered, or null before the deadline.
 */
export const callsRunScript = (clock: string): string => `local now = ${clock}
if ${realTime(clock)} <= tonumber(ARGV[2]) then return false end
local ran = ''
for _, usage in ipairs(KEYS) do
  ran = ran .. ' ' .. (redis.call('HGET', usage, 'ran:' .. ARGV[1]) or '')
end
return ran
`
