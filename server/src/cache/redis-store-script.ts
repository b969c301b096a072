// The scripts of `redis-store.ts`. Scripts are atomic, so looking up a page and taking its lease is one step, however
// many nodes do so concurrently.
//
// A page is stored as `<its life in ms> <text>`, so its age is that life minus its remaining TTL, and no node's clock
// matters. A lease contains its holder's name, or `!<reason>` for a while after a failure, when no node calls the
// provider.

/**
 * KEYS: for each page, the page and its lease. ARGV: the caller, life of a lease in ms, then for each page the age from
 * which it is too old to be used and the age from which it should be refreshed.
 * Returns for each page [page or nil, its age, turn]. The turn is '' if there is nothing to do, '+' if the caller now
 * holds the lease, '-' if another node holds it, '!<reason>' after a failure.
 */
export const FIND_PAGES = `
local found = {}
for at = 1, #KEYS, 2 do
  local page, age, turn = redis.call('GET', KEYS[at]), 0, ''
  local life, left = page and tonumber(string.match(page, '^%d+')), redis.call('PTTL', KEYS[at])
  if life and left >= 0 then age = life - left else page = false end
  if age < 0 or age >= tonumber(ARGV[at + 2]) then page = false end
  if not page or age >= tonumber(ARGV[at + 3]) then
    local holder = redis.call('GET', KEYS[at + 1])
    -- What would never end, or not soon, is no lease.
    local ends = holder and redis.call('PTTL', KEYS[at + 1])
    if not holder or ends < 0 or ends > tonumber(ARGV[2]) then
      redis.call('SET', KEYS[at + 1], ARGV[1], 'PX', ARGV[2])
      turn = '+'
    else
      turn = string.sub(holder, 1, 1) == '!' and holder or '-'
    end
  end
  found[#found + 1] = { page, age, turn }
end
return found
`

/** KEYS: a page and its lease. ARGV: holder or '', life in ms, text. A page fetched without a lease is stored too. */
export const STORE_PAGE = `
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ARGV[3], 'PX', ARGV[2])
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
`

/** KEYS: a lease. ARGV: holder, its new value (the holder to renew it, or `!<reason>`), its life in ms; 0 to end it. */
export const CHANGE_LEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return end
if ARGV[3] == '0' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
`
