/**
 * The scripts that Redis executes. It runs them one at a time and with its own clock, which makes limits exact across replicas. Both keys of
 * a subject have the same hash tag, because a cluster runs a script on one node.
 */

/**
 * KEYS: the window's log, and the period's counter (a hash with the field `used`).
 * ARGV 1: limit of the window (-1: none). 2: length of the window (µs). 3: limit of the period (-1: none, 'skip': not counted).
 * 4: queries to count. 5: count to set if there is no counter ('': none). 6: 'replace' to set it even if there is one.
 * 7: lifetime of the counter (s).
 * Returns the index of the outcome in `outcomes`, the number of earlier requests in the window, the time until another one is allowed (µs),
 * and the period's count (-1: unknown).
 */
export const takeScript = `
local log, counter = KEYS[1], KEYS[2]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local most, queries, seed = tonumber(ARGV[3]), ARGV[4], ARGV[5]

local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local taken, reset = 0, window
if limit >= 0 then
  local newest = tonumber(redis.call('ZRANGE', log, -1, -1)[1] or '0')
  if newest - now > window then
    -- The clock was put back by more than a window.
    redis.call('DEL', log)
  elseif newest >= now then
    -- Each member gets a time of its own, in order, even if the clock stands still or was put back.
    now = newest + 1
  end
  redis.call('ZREMRANGEBYSCORE', log, '-inf', string.format('%.0f', now - window))
  taken = redis.call('ZCARD', log)
  -- After a limit was lowered, several requests must leave the window before there is room.
  local place = math.max(0, taken - limit)
  local leaves = redis.call('ZRANGE', log, place, place)[1]
  if leaves then reset = tonumber(leaves) + window - now end
end

local used = nil
if most then
  if ARGV[6] ~= 'replace' then used = tonumber(redis.call('HGET', counter, 'used') or '') end
  if not used and seed ~= '' then
    used = tonumber(seed)
    redis.call('HSET', counter, 'used', seed)
    redis.call('EXPIRE', counter, ARGV[7])
  end
  if used and most >= 0 and used >= most then return {3, taken, reset, used} end
end
if limit >= 0 and taken >= limit then return {2, taken, reset, used or -1} end
if most and most >= 0 and not used then return {0, taken, reset, -1} end

if limit >= 0 then
  local moment = string.format('%.0f', now)
  redis.call('ZADD', log, moment, moment)
  redis.call('PEXPIRE', log, math.ceil(window / 1000) + 1)
end
if used then used = redis.call('HINCRBY', counter, 'used', queries) end
return {1, taken, reset, used or -1}
`;

export const outcomes = ["uncounted", "taken", "minute", "month"] as const;

/** KEYS: the period's counter. ARGV: the number to add, negative to give back. A missing counter is not created, because the ledger seeds it later. */
export const addScript = `
local used = redis.call('HGET', KEYS[1], 'used')
if used then redis.call('HINCRBY', KEYS[1], 'used', math.max(tonumber(ARGV[1]), -tonumber(used))) end
`;
