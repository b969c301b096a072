// The scripts behind `shared-pages.ts`. Redis runs a script alone, so looking for a page and taking the lease on it is one
// indivisible step, whatever number of nodes look at once.
//
// A page is `<its life in ms> <text>`, so that its age is that life less what is left of it: no node's clock matters. A
// lease is its holder's name, or `!<reason>` while everybody leaves the provider alone after a failure.

/**
 * KEYS: for each page, the page and its lease. ARGV: who asks, life of a lease in ms, then for each page the age from
 * which it is too old to be used and the age from which it is to be refreshed.
 * Gives for each page [page or nil, its age, turn]: '' when it needs nothing, '+' when the lease is now the asker's,
 * '-' when another holds it, '!<reason>' after a failure.
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
    elseif string.sub(holder, 1, 1) == '!' then
      turn = holder
    else
      turn = '-'
    end
  end
  found[#found + 1] = { page, age, turn }
end
return found
`

/** KEYS: a page and its lease. ARGV: holder or '', life in ms, text. A page that came without a lease is as good. */
export const STORE_PAGE = `
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ARGV[3], 'PX', ARGV[2])
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
`

/** KEYS: a lease. ARGV: holder, '' to give it up or `!<reason>`, life of the reason in ms. */
export const END_LEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
`

/** KEYS: a lease. ARGV: holder, life in ms. */
export const RENEW_LEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
`
