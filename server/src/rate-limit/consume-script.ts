// The rate limiting script that runs inside Redis. Scripts are atomic, so all limits are checked and spent in one step,
// however many nodes call it concurrently. A script that is sent twice spends one request too many, which is harmless.
//
// A subject is a key, the user of a key, a visitor of the website, or a provider that we call; it has a burst and a
// sustained window. A window is a list of entries, each with an end and the running total of admissions before it
// (`sliding-window.ts` explains entries, but its totals include the entry's own). One string, the subject's state, holds
// what almost every request needs: for each window the total of admissions, the total of those that have left, the ends
// of the oldest and the newest entry, and when the list expires. So a request reads and writes the state, adds an entry,
// and reads a list only when an entry leaves. If Redis has evicted a part, it counts as empty.
//
// Times are whole microseconds of Redis' own clock, so the nodes' clocks don't matter. The clock is part of the
// script's text, so that tests can substitute a simulated one.
import { IDLE_SPARE_MS, SUSTAINED_BUCKETS } from './rate-limiter.ts'

export const REDIS_CLOCK = `(function()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end)()`

/** Scripts begin with these functions, which use a variable that isn't theirs: `now`, declared in front of them. */
const WINDOWS = `
local call, pack, unpack = redis.call, struct.pack, struct.unpack
local ceil, floor, max = math.ceil, math.floor, math.max

-- A list has entries of two fields. A state has two windows, burst and sustained.
local ENTRY, END, TOTAL = '<dd', 1, 2
local WINDOW, WINDOW_BYTES = '<ddddd', 40

-- Returns the index of the first entry whose END or TOTAL is above a bound. Entry 0 must not be above it.
local function findFirstAbove(list, field, bound)
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

local function dropOldEntries(window)
  local windowStart = now - window.length
  if window.oldestEnd == 0 or window.oldestEnd > windowStart then return end
  local index, entry
  if window.newestEnd > windowStart then
    index = findFirstAbove(window.list, END, windowStart)
    entry = call('LINDEX', window.list, index)
  end
  if entry then
    call('LTRIM', window.list, index, '-1')
    window.oldestEnd, window.departed = unpack(ENTRY, entry)
  else
    -- All entries have left, or Redis has evicted the list.
    call('DEL', window.list)
    window.oldestEnd, window.newestEnd, window.departed, window.expiresAt = 0, 0, window.total, 0
  end
end

-- Returns how long to wait until a request fits: 0 if one fits now.
local function getTimeUntilFree(window)
  local windowStart = now - window.length
  local used, count = window.total - window.departed, window.count
  if used < count then return 0 end
  if used == count then return window.oldestEnd - windowStart end
  -- The limit was lowered, so more than one admission has to leave.
  local index = findFirstAbove(window.list, TOTAL, window.total - count) - 1
  local entry = call('LINDEX', window.list, index)
  local lastEnd = window.newestEnd
  if entry then lastEnd = unpack(ENTRY, entry) end
  return lastEnd - windowStart
end

-- The state has the window at this offset, and ARGV its count at this index, followed by its length. A window without a count
-- is no limit.
local function openWindow(list, state, offset, value)
  local total, departed, oldestEnd, newestEnd, expiresAt = unpack(WINDOW, state, offset)
  local window = {
    list = list, count = tonumber(ARGV[value]), length = tonumber(ARGV[value + 1]),
    total = total, departed = departed, oldestEnd = oldestEnd, newestEnd = newestEnd, expiresAt = expiresAt,
    wait = 0,
  }
  if window.count then
    dropOldEntries(window)
    window.wait = getTimeUntilFree(window)
  end
  return window
end

local function packWindow(window)
  return pack(WINDOW, window.total, window.departed, window.oldestEnd, window.newestEnd, window.expiresAt)
end

-- Returns the burst and the sustained window of the subject whose keys and values begin at these indexes.
local function openSubject(key, value)
  local state = call('GET', KEYS[key])
  if not state then
    call('DEL', KEYS[key + 1], KEYS[key + 2])
    state = string.rep(pack(WINDOW, 0, 0, 0, 0, 0), 2)
  end
  local burst = openWindow(KEYS[key + 1], state, 1, value)
  local sustained = openWindow(KEYS[key + 2], state, 1 + WINDOW_BYTES, value + 2)
  return burst, sustained
end

local function record(window, buckets)
  if not window.count then return end
  local entryEnd = now
  if buckets then
    local bucket = window.length / buckets
    entryEnd = ceil((floor(now / bucket) + 1) * bucket)
  end
  -- If the limit or the clock has changed, the newest entry may end later than this one would: it takes the admission.
  if window.newestEnd < entryEnd then
    call('RPUSH', window.list, pack(ENTRY, entryEnd, window.total))
    window.newestEnd = entryEnd
    if window.oldestEnd == 0 then window.oldestEnd = entryEnd end
  end
  window.total = window.total + 1
end

-- Keeps the list for a tenth longer than needed, so that few requests have to prolong it. Returns whether it did.
local function prolong(window)
  if window.newestEnd == 0 or not window.count then return false end
  local needed = window.newestEnd + window.length + ${IDLE_SPARE_MS * 1_000}
  if window.expiresAt >= needed then return false end
  window.expiresAt = needed + ceil(window.length / 10)
  call('PEXPIRE', window.list, ceil((window.expiresAt - now) / 1000))
  return true
end

local function save(key, burst, sustained)
  if burst.newestEnd == 0 and sustained.newestEnd == 0 then return call('DEL', key) end
  local isBurstProlonged, isSustainedProlonged = prolong(burst), prolong(sustained)
  local state = packWindow(burst) .. packWindow(sustained)
  if isBurstProlonged or isSustainedProlonged then
    local expiresAt = max(burst.expiresAt, sustained.expiresAt)
    call('SET', key, state, 'PX', ceil((expiresAt - now) / 1000))
  else
    call('SET', key, state, 'KEEPTTL')
  end
end

-- Returns the remaining requests, and in how many seconds there will be more.
local function getRemainingAndReset(window)
  local reset = window.wait
  if reset == 0 and window.oldestEnd > 0 then reset = window.oldestEnd + window.length - now end
  return max(0, window.count - window.total + window.departed), ceil(reset / 1000000)
end

local function formatReply(refusedBy, wait, burst, sustained)
  local burstRemaining, burstReset = getRemainingAndReset(burst)
  return string.format('%s %d %d %d %d %d', refusedBy, ceil(wait / 1000), burstRemaining, burstReset,
    getRemainingAndReset(sustained))
end
`

/**
 * KEYS: 1 to 3 are the state, burst and sustained of the key; with a user, 4 to 6 are the same of the user. Then come the
 * monthly counters that have a cap.
 * ARGV: 1 is the number of subjects, 1, or 2 with a user; 2 to 5 are burst count, burst length, sustained count and sustained length of the key;
 * with a user, 6 to 9 are the same of the user. With a cap, then come the start and end of the month, and for each
 * counter its name, its cap, its seed or '', and the seed's life in ms.
 * Returns one string, because ioredis takes much longer to read a list: the limit that refused, or '-'; the milliseconds
 * to wait; remaining and seconds until reset of the key's burst and sustained windows. Or 'unknown' and the time in ms, if
 * the month's usage must be supplied first.
 */
const CONSUME = `
local hasUser = ARGV[1] == '2'
-- The keys and values of windows end here. Those of months follow.
local lastKey, lastValue = 3, 5
if hasUser then lastKey, lastValue = 6, 9 end

-- Months come first: this part may return, and windows that were trimmed must be saved.
local months = {}
if #KEYS > lastKey then
  local monthStart, monthEnd = tonumber(ARGV[lastValue + 1]), tonumber(ARGV[lastValue + 2])
  local unknown = string.format('unknown %.0f', now / 1000)
  if now < monthStart or now >= monthEnd then return unknown end
  local value = lastValue + 3
  for key = lastKey + 1, #KEYS do
    local counter = KEYS[key]
    local name, cap, seed, seedLife = ARGV[value], tonumber(ARGV[value + 1]), ARGV[value + 2], ARGV[value + 3]
    local used = call('GET', counter)
    if not used then
      if seed == '' then return unknown end
      call('SET', counter, seed, 'PX', seedLife)
      used = seed
    end
    local wait = 0
    if tonumber(used) >= cap then wait = monthEnd - now end
    table.insert(months, { counter = counter, name = name, wait = wait })
    value = value + 4
  end
end

local longestWait, refusedBy = 0, '-'
local function consider(wait, name)
  if wait > longestWait then longestWait, refusedBy = wait, name end
end

local burst, sustained = openSubject(1, 2)
consider(burst.wait, 'burst')
consider(sustained.wait, 'sustained')
local userBurst, userSustained
if hasUser then
  userBurst, userSustained = openSubject(4, 6)
  consider(userBurst.wait, 'user-burst')
  consider(userSustained.wait, 'user-sustained')
end
for _, month in ipairs(months) do consider(month.wait, month.name) end

if longestWait == 0 then
  record(burst)
  record(sustained, ${SUSTAINED_BUCKETS})
  if hasUser then
    record(userBurst)
    record(userSustained, ${SUSTAINED_BUCKETS})
  end
  for _, month in ipairs(months) do call('INCR', month.counter) end
end
save(KEYS[1], burst, sustained)
if hasUser then save(KEYS[4], userBurst, userSustained) end
return formatReply(refusedBy, longestWait, burst, sustained)
`

export const consumeScript = (clock: string): string => `local now = ${clock}${WINDOWS}${CONSUME}`

/** Spends nothing, yet drops old entries. KEYS and ARGV as above, without user and caps. */
export const peekScript = (clock: string): string => `local now = ${clock}${WINDOWS}
local burst, sustained = openSubject(1, 2)
save(KEYS[1], burst, sustained)
return formatReply('-', 0, burst, sustained)
`

/** KEYS: monthly counters. Skips a counter that has expired: it will be seeded without this request. */
export const GIVE_BACK = `
for _, month in ipairs(KEYS) do
  if redis.call('EXISTS', month) == 1 then redis.call('DECR', month) end
end
return 1
`
