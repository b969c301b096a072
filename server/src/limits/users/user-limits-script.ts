// The part of the consume script that concerns the limits of all keys of a user together. It is added only where such
// limits are set; all keys of the script then carry the hash tag of the user instead of that of the key, so that a
// cluster still finds them on one node.

/** Pieces of Lua for `consume-script.ts`, which says what is defined where they stand. */
export interface UserScript {
  /** Before the key's own limits are looked at. */
  check: string
  /** After that: raises `longest` and sets `code` if a limit of the user requires a longer wait. */
  compare: string
  /** Once the request is admitted. */
  record: string
  /** Once it is counted. */
  count: string
}

export const NO_USER_LIMITS: UserScript = { check: '', compare: '', record: '', count: '' }

/** Beyond the window, so that a list never expires before its entries do. */
export const SPARE_MS = 60_000

/**
 * More KEYS: 5 burst, 6 sustained, 7 prefix of the month. The key's cap and its seed may be ''. More ARGV: 12 burst count
 * or '', 13 burst window, 14 sustained count or '', 15 sustained window, 16 cap or '', 17 seed or '', 18 its life in ms.
 * More codes: 6 burst, 7 sustained, 8 month.
 */
export const USER_LIMITS: UserScript = {
  check: `
local userMonthKey, userMonthWait = nil, 0
if ARGV[16] ~= '' then
  userMonthKey = KEYS[7] .. ARGV[7]
  local used = call('GET', userMonthKey)
  if now < tonumber(ARGV[8]) or now >= tonumber(ARGV[9]) then return { 4, now / 1000 } end
  if not used then
    if ARGV[17] == '' then return { 4, now / 1000 } end
    used = ARGV[17]
    call('SET', userMonthKey, used, 'PX', ARGV[18])
  end
  if tonumber(used) >= tonumber(ARGV[16]) then userMonthWait = ARGV[9] - now end
end
local userBurst, userSustained = { wait = 0 }, { wait = 0 }
local function look(key, count, window)
  local limit = { key = key, window = tonumber(window) }
  local used
  used, limit.wait, limit.first, limit.total, limit.newest = peek(key, tonumber(count), limit.window)
  return limit
end
if ARGV[12] ~= '' then userBurst = look(KEYS[5], ARGV[12], ARGV[13]) end
if ARGV[14] ~= '' then userSustained = look(KEYS[6], ARGV[14], ARGV[15]) end
`,
  compare: `
local function compare(wait, name)
  if wait > longest then longest, code = wait, name end
end
compare(userBurst.wait, 6)
compare(userSustained.wait, 7)
compare(userMonthWait, 8)
`,
  record: `
local function recordFor(limit, ends)
  if not limit.key then return end
  record(limit.key, ends, limit.total, limit.newest)
  call('PEXPIRE', limit.key, math.ceil((ends - now + limit.window) / 1000) + ${SPARE_MS})
end
recordFor(userBurst, now)
if userSustained.key then
  local userBucket = userSustained.window / 1440
  recordFor(userSustained, math.ceil((math.floor(now / userBucket) + 1) * userBucket))
end
`,
  count: `if userMonthKey then call('INCR', userMonthKey) end`,
}
