/**
 * What runs inside Redis, where nothing else runs meanwhile: that makes it exact among all replicas. The clock is Redis' own, and
 * both keys of a subject carry the same hash tag.
 */

/**
 * A month's counter is a hash: `used`, and `generation`, the moment it was made. Who has admitted without asking adds that only to the
 * counter that it had asked before: one that was made since comes from the ledger, which knows it already.
 *
 * KEYS: the window's log, the month's counter. ARGV: limit of the window (-1: none), its length (µs), limit of the month (-1: none,
 * 'skip': not counted), its count according to the ledger ('' when not asked), how long the counter lives (s).
 * Answers: the outcome (see `outcomes`), how many the window held before, µs until it has room, the month's count and its birth (-1:
 * unknown).
 */
export const takeScript = `
local log, counter = KEYS[1], KEYS[2]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local monthly, seed = tonumber(ARGV[3]), ARGV[4]

local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local taken, reset = 0, window
if limit >= 0 then
  local newest = tonumber(redis.call('ZRANGE', log, -1, -1)[1] or '0')
  if newest - now > window then
    -- The clock was put back by more than a window.
    redis.call('DEL', log)
  elseif newest >= now then
    -- Every member is a moment of its own, in order, even where the clock stands still or was put back.
    now = newest + 1
  end
  redis.call('ZREMRANGEBYSCORE', log, '-inf', string.format('%.0f', now - window))
  taken = redis.call('ZCARD', log)
  -- With a limit that was lowered, several have to leave before there is room.
  local place = math.max(0, taken - limit)
  local leaves = redis.call('ZRANGE', log, place, place)[1]
  if leaves then reset = tonumber(leaves) + window - now end
end

local used, generation = nil, -1
if monthly then
  local known = redis.call('HMGET', counter, 'used', 'generation')
  if known[1] then
    used, generation = tonumber(known[1]), tonumber(known[2])
  elseif seed ~= '' then
    used, generation = tonumber(seed), now
    redis.call('HSET', counter, 'used', seed, 'generation', string.format('%.0f', now))
    redis.call('EXPIRE', counter, ARGV[5])
  end
  if used and monthly >= 0 and used >= monthly then return {3, taken, reset, used, generation} end
end
if limit >= 0 and taken >= limit then return {2, taken, reset, used or -1, generation} end
if monthly and monthly >= 0 and not used then return {0, taken, reset, -1, -1} end

if limit >= 0 then
  local moment = string.format('%.0f', now)
  redis.call('ZADD', log, moment, moment)
  redis.call('PEXPIRE', log, math.ceil(window / 1000) + 1)
end
if used then used = redis.call('HINCRBY', counter, 'used', 1) end
return {1, taken, reset, used or -1, generation}
`;

export const outcomes = ["uncounted", "taken", "minute", "month"] as const;

/**
 * KEYS: the month's counter. ARGV: how many to add, or to give back; the birth of the counter that is meant. Answers the count; -1
 * when that counter is gone.
 */
export const addScript = `
local known = redis.call('HMGET', KEYS[1], 'used', 'generation')
if known[2] ~= ARGV[2] then return -1 end
return redis.call('HINCRBY', KEYS[1], 'used', math.max(tonumber(ARGV[1]), -tonumber(known[1])))
`;
