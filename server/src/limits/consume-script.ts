// The script that runs inside Redis. Redis runs a script atomically, so checking all limits and spending them is one
// indivisible step, however many nodes call it at once. A script that is sent twice spends one request too many, which
// is harmless.
//
// A spender is a key, or the user of a key; it has a burst and a sustained window. A window is a list of entries, each
// with an end and the running total of admissions before it (`sliding-window.ts` explains what an entry is). What almost
// every request needs to know about both windows is in one string, the spender's state: for each window the total of
// admissions, the total of those that have left, the ends of the oldest and of the newest entry, and until when the list
// is kept. So a request reads and writes the state and adds an entry, and looks at a list only when an entry leaves. A
// part that Redis has evicted is taken for empty.
//
// Times are whole microseconds of Redis' own clock, so the nodes' clocks do not matter. The clock is part of the
// script's text, so that tests can substitute a simulated one.

export const REDIS_CLOCK = `(function()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end)()`

/** Beyond the window, so that a limit that is widened still finds what was admitted. */
const SPARE_MS = 60_000
const SUSTAINED_BUCKETS = 1_440

const WINDOWS = `
local call, pack, unpack = redis.call, struct.pack, struct.unpack
local ENTRY, STATE, SPARE = '<dd', '<dddddddddd', ${SPARE_MS * 1_000}
local EMPTY = pack(STATE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

-- The index of the first entry whose end (1) or total (2) is above a bound, found in doubling steps; entry 0's is not.
local function firstAbove(list, field, bound)
  local function isAbove(index)
    local entry = call('LINDEX', list, index)
    return not entry or select(field, unpack(ENTRY, entry)) > bound
  end
  local low, high = 0, 1
  while not isAbove(high) do low, high = high, 2 * high end
  while high - low > 1 do
    local middle = math.floor((low + high) / 2)
    if isAbove(middle) then high = middle else low = middle end
  end
  return high
end

local function dropUntil(window, moment)
  local index = window.newest > moment and firstAbove(window.list, 1, moment)
  local entry = index and call('LINDEX', window.list, index)
  if entry then
    call('LTRIM', window.list, index, '-1')
    window.first, window.gone = unpack(ENTRY, entry)
  else
    call('DEL', window.list)
    window.first, window.newest, window.gone, window.kept = 0, 0, window.total, 0
  end
end

-- Sets how much is used, and how long to wait and until more is available.
local function look(window)
  local left = now - window.length
  if window.first > 0 and window.first <= left then dropUntil(window, left) end
  window.used, window.wait = window.total - window.gone, 0
  if window.used == window.count then window.wait = window.first - left end
  if window.used > window.count then
    local entry = call('LINDEX', window.list, firstAbove(window.list, 2, window.total - window.count) - 1)
    window.wait = (entry and unpack(ENTRY, entry) or window.newest) - left
  end
  window.reset = window.wait > 0 and window.wait or window.first > 0 and window.first - left or 0
end

local function record(window)
  local ends = window.bucket and math.ceil((math.floor(now / window.bucket) + 1) * window.bucket) or now
  -- If the limit or the clock has changed, the newest entry may end later than this one would: it takes the admission.
  if window.newest < ends then
    call('RPUSH', window.list, pack(ENTRY, ends, window.total))
    window.newest = ends
    if window.first == 0 then window.first = ends end
  end
  window.total = window.total + 1
  window.used = window.used + 1
  window.reset = window.first + window.length - now
end

-- A spender's keys are its state, burst and sustained; its values count and length of both windows. No count: no limit.
local function open(number)
  local key, value = 3 * number - 2, 4 * number - 2
  local burst = { list = KEYS[key + 1], count = tonumber(ARGV[value]), length = tonumber(ARGV[value + 1]) }
  local sustained = { list = KEYS[key + 2], count = tonumber(ARGV[value + 2]), length = tonumber(ARGV[value + 3]) }
  if sustained.count then sustained.bucket = sustained.length / ${SUSTAINED_BUCKETS} end
  local state = call('GET', KEYS[key])
  if not state then
    call('DEL', burst.list, sustained.list)
    state = EMPTY
  end
  burst.total, burst.gone, burst.first, burst.newest, burst.kept,
    sustained.total, sustained.gone, sustained.first, sustained.newest, sustained.kept = unpack(STATE, state)
  local windows = {}
  if burst.count then windows[1] = burst end
  if sustained.count then windows[#windows + 1] = sustained end
  for _, window in ipairs(windows) do look(window) end
  return { state = KEYS[key], burst = burst, sustained = sustained, windows = windows }
end

local function save(spender)
  local burst, sustained, life = spender.burst, spender.sustained, 0
  for _, window in ipairs(spender.windows) do
    if window.newest > 0 then
      local needed = window.newest + window.length + SPARE - now
      -- A tenth more than is needed, so that only few requests have to prolong it.
      if window.kept < needed + now then
        window.kept = now + needed + math.ceil(window.length / 10)
        call('PEXPIRE', window.list, math.ceil((window.kept - now) / 1000))
      end
      life = math.max(life, needed)
    end
  end
  if life == 0 then return call('DEL', spender.state) end
  call('SET', spender.state, pack(STATE, burst.total, burst.gone, burst.first, burst.newest, burst.kept,
    sustained.total, sustained.gone, sustained.first, sustained.newest, sustained.kept), 'PX', math.ceil(life / 1000))
end

local function seconds(micros) return math.ceil(micros / 1000000) end

local function report(refusedBy, wait, spender)
  local burst, sustained = spender.burst, spender.sustained
  return string.format('%s %.0f %.0f %.0f %.0f %.0f', refusedBy, seconds(wait),
    math.max(0, burst.count - burst.used), seconds(burst.reset),
    math.max(0, sustained.count - sustained.used), seconds(sustained.reset))
end
`

const CONSUME = `
local hasUser = ARGV[1] == '2'
local keys, values = hasUser and 6 or 3, hasUser and 9 or 5

-- First of all, because nothing may have changed if a month is unknown.
local months = {}
if #KEYS > keys then
  local starts, ends = tonumber(ARGV[values + 1]), tonumber(ARGV[values + 2])
  local unknown = string.format('unknown %.0f', now / 1000)
  if now < starts or now >= ends then return unknown end
  for number = 1, #KEYS - keys do
    local key, value = KEYS[keys + number], values + 4 * number - 1
    local used = call('GET', key)
    if not used then
      used = ARGV[value + 2]
      if used == '' then return unknown end
      call('SET', key, used, 'PX', ARGV[value + 3])
    end
    months[number] = { key = key, name = ARGV[value], wait = tonumber(used) < tonumber(ARGV[value + 1]) and 0 or ends - now }
  end
end

local key, user = open(1), hasUser and open(2)
local longest, refusedBy = 0, '-'
local function compare(wait, name)
  if wait and wait > longest then longest, refusedBy = wait, name end
end
compare(key.burst.wait, 'burst')
compare(key.sustained.wait, 'sustained')
if user then
  compare(user.burst.wait, 'user-burst')
  compare(user.sustained.wait, 'user-sustained')
end
for _, month in ipairs(months) do compare(month.wait, month.name) end

if longest == 0 then
  for _, window in ipairs(key.windows) do record(window) end
  if user then
    for _, window in ipairs(user.windows) do record(window) end
  end
  for _, month in ipairs(months) do call('INCR', month.key) end
end
save(key)
if user then save(user) end
return report(refusedBy, longest, key)
`

/**
 * KEYS: state, burst and sustained of the key; of its user; the counters of the months that have a cap.
 * ARGV: 1, or 2 with a user; for each of them burst count, burst length, sustained count and sustained length; with a
 * cap, the start and the end of the month and for each counter its name, its cap, its seed or '', the seed's life in ms.
 * Returns one text, because ioredis takes much longer to read a list: the limit that refused, or '-'; the seconds to
 * wait; remaining and seconds until reset of the key's burst and sustained windows. Or 'unknown' and the time in ms, if
 * the usage of the month must be supplied first.
 */
export const consumeScript = (clock: string): string => `local now = ${clock}${WINDOWS}${CONSUME}`

/** KEYS and ARGV as above, without user and caps. Returns the same. Spends nothing. */
export const peekScript = (clock: string): string => `local now = ${clock}${WINDOWS}
local key = open(1)
save(key)
return report('-', 0, key)
`

/** KEYS: the counters of months. A counter that is not there any more will be filled without this request. */
export const GIVE_BACK = `
for _, month in ipairs(KEYS) do
  if redis.call('EXISTS', month) == 1 then redis.call('DECR', month) end
end
return 1
`
