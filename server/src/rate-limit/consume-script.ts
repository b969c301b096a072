// The rate limiting script that runs inside Redis. Scripts are atomic, so all limits are checked and spent in one step,
// however many nodes call it concurrently. A script that is sent twice spends one request too many, which is harmless.
//
// A subject is a key, the user of a key, a visitor of the website, or a provider that we call; it has a burst and a
// sustained window. A window is a list of entries, each with an end and the running total of admissions before it
// (`sliding-window.ts` explains entries). One string, the subject's state, holds what almost every request needs: for
// each window the total of admissions, the total of those that have left, the ends of the oldest and the newest entry,
// and when the list expires. So a request reads and writes the state, adds an entry, and reads a list only when an entry
// leaves. If Redis has evicted a part, it counts as empty.
//
// Times are whole microseconds of Redis' own clock, so the nodes' clocks don't matter. The clock is part of the
// script's text, so that tests can substitute a simulated one.

export const REDIS_CLOCK = `(function()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end)()`

/** Entries are kept this long beyond the window, so that a longer window still finds earlier admissions. */
const SPARE_MS = 60_000
const SUSTAINED_BUCKETS = 1_440

const WINDOWS = `
local call, pack, unpack = redis.call, struct.pack, struct.unpack
local ceil, floor, max = math.ceil, math.floor, math.max
local ENTRY, STATE, SPARE = '<dd', '<dddddddddd', ${SPARE_MS * 1_000}

-- The index of the first entry whose end (field 1) or total (field 2) is above a bound. Entry 0 must not be above it.
local function firstAbove(list, field, bound)
  local function isAbove(index)
    local entry = call('LINDEX', list, index)
    return not entry or select(field, unpack(ENTRY, entry)) > bound
  end
  local low, high = 0, 1
  while not isAbove(high) do low, high = high, 2 * high end
  while high - low > 1 do
    local middle = floor((low + high) / 2)
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

-- How long to wait until a request fits; 0 if one fits now.
local function waitOf(window)
  local left = now - window.length
  if window.first > 0 and window.first <= left then dropUntil(window, left) end
  local used, count = window.total - window.gone, window.count
  if used < count then return 0 end
  if used == count then return window.first - left end
  local entry = call('LINDEX', window.list, firstAbove(window.list, 2, window.total - count) - 1)
  return (entry and unpack(ENTRY, entry) or window.newest) - left
end

local function newWindow(list, value, total, gone, first, newest, kept)
  local window = { list = list, count = tonumber(ARGV[value]), length = tonumber(ARGV[value + 1]),
    total = total, gone = gone, first = first, newest = newest, kept = kept, wait = 0 }
  if window.count then window.wait = waitOf(window) end
  return window
end

-- The windows of a subject. Its keys are state, burst and sustained; its values, count and length of both. A window
-- without a count is no limit.
local function open(key, value)
  local state = call('GET', KEYS[key])
  if not state then
    call('DEL', KEYS[key + 1], KEYS[key + 2])
    state = pack(STATE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  end
  local t, g, f, n, k, total, gone, first, newest, kept = unpack(STATE, state)
  return newWindow(KEYS[key + 1], value, t, g, f, n, k),
    newWindow(KEYS[key + 2], value + 2, total, gone, first, newest, kept)
end

local function record(window, buckets)
  if not window.count then return end
  local ends = now
  if buckets then
    local bucket = window.length / buckets
    ends = ceil((floor(now / bucket) + 1) * bucket)
  end
  -- If the limit or the clock has changed, the newest entry may end later than this one would: it takes the admission.
  if window.newest < ends then
    call('RPUSH', window.list, pack(ENTRY, ends, window.total))
    window.newest = ends
    if window.first == 0 then window.first = ends end
  end
  window.total = window.total + 1
end

-- Keeps the list for a tenth longer than needed, so that few requests have to prolong it. Returns whether it did.
local function prolong(window)
  local needed = window.newest > 0 and window.count and window.newest + window.length + SPARE or 0
  if window.kept >= needed then return false end
  window.kept = needed + ceil(window.length / 10)
  call('PEXPIRE', window.list, ceil((window.kept - now) / 1000))
  return true
end

local function save(key, burst, sustained)
  if burst.newest == 0 and sustained.newest == 0 then return call('DEL', key) end
  local isProlonged = prolong(burst)
  isProlonged = prolong(sustained) or isProlonged
  local state = pack(STATE, burst.total, burst.gone, burst.first, burst.newest, burst.kept,
    sustained.total, sustained.gone, sustained.first, sustained.newest, sustained.kept)
  if isProlonged then
    call('SET', key, state, 'PX', ceil((max(burst.kept, sustained.kept) - now) / 1000))
  else
    call('SET', key, state, 'KEEPTTL')
  end
end

-- Remaining requests, and seconds until more are available.
local function stateOf(window)
  local reset = window.wait
  if reset == 0 and window.first > 0 then reset = window.first + window.length - now end
  return max(0, window.count - window.total + window.gone), ceil(reset / 1000000)
end

local function report(refusedBy, wait, burst, sustained)
  local burstLeft, burstReset = stateOf(burst)
  return string.format('%s %d %d %d %d %d', refusedBy, ceil(wait / 1000), burstLeft, burstReset,
    stateOf(sustained))
end
`

const CONSUME = `
local hasUser = ARGV[1] == '2'
local keys, values = hasUser and 6 or 3, hasUser and 9 or 5

-- Must come first: if the usage of a month is unknown, the script returns without having changed anything.
local months = #KEYS > keys and {}
if months then
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
    local isOpen = tonumber(used) < tonumber(ARGV[value + 1])
    months[number] = { key = key, name = ARGV[value], wait = isOpen and 0 or ends - now }
  end
end

-- Repetitive, because defining a function would cost each request almost a microsecond.
local burst, sustained = open(1, 2)
local longest, refusedBy = burst.wait, burst.wait > 0 and 'burst' or '-'
if sustained.wait > longest then longest, refusedBy = sustained.wait, 'sustained' end
local userBurst, userSustained
if hasUser then
  userBurst, userSustained = open(4, 6)
  if userBurst.wait > longest then longest, refusedBy = userBurst.wait, 'user-burst' end
  if userSustained.wait > longest then longest, refusedBy = userSustained.wait, 'user-sustained' end
end
if months then
  for _, month in ipairs(months) do
    if month.wait > longest then longest, refusedBy = month.wait, month.name end
  end
end

if longest == 0 then
  record(burst)
  record(sustained, ${SUSTAINED_BUCKETS})
  if hasUser then
    record(userBurst)
    record(userSustained, ${SUSTAINED_BUCKETS})
  end
  if months then
    for _, month in ipairs(months) do call('INCR', month.key) end
  end
end
save(KEYS[1], burst, sustained)
if hasUser then save(KEYS[4], userBurst, userSustained) end
return report(refusedBy, longest, burst, sustained)
`

/**
 * KEYS: state, burst and sustained of the key; the same of its user; the monthly counters that have a cap.
 * ARGV: 1, or 2 with a user; for each subject burst count, burst length, sustained count and sustained length; with a
 * cap, the start and end of the month and for each counter its name, its cap, its seed or '', and the seed's life in
 * ms.
 * Returns one string, because ioredis takes much longer to read a list: the limit that refused, or '-'; the milliseconds
 * to wait; remaining and seconds until reset of the key's burst and sustained windows. Or 'unknown' and the time in ms, if
 * the month's usage must be supplied first.
 */
export const consumeScript = (clock: string): string => `local now = ${clock}${WINDOWS}${CONSUME}`

/** The same without spending anything. KEYS and ARGV as above, without user and caps. */
export const peekScript = (clock: string): string => `local now = ${clock}${WINDOWS}
local burst, sustained = open(1, 2)
save(KEYS[1], burst, sustained)
return report('-', 0, burst, sustained)
`

/** KEYS: monthly counters. Skips a counter that has expired: it will be seeded without this request. */
export const GIVE_BACK = `
for _, month in ipairs(KEYS) do
  if redis.call('EXISTS', month) == 1 then redis.call('DECR', month) end
end
return 1
`
