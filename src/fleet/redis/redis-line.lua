--[[
The line of calls between their requests, shared by all control planes. Reads the keys shows:KIND,
offers:KIND and worker:ID of redis-fleet.lua, under the same prefix KEYS[1].

line:ACCOUNT    zset   ticket -> order of arrival
places          hash   ticket -> JSON: account, pool, visitor, kinds
seen:POOL       zset   ticket -> when its caller last asked, in milliseconds since the epoch
line-arrivals   string number of the last arrival
]]
local P, command, now, awayMs = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local function arg(i) return ARGV[i + 3] end

local function placeOf(ticket)
  local place = redis.call('HGET', P .. 'places', ticket)
  return place and cjson.decode(place) or nil
end

local function isPresent(ticket, place)
  local seen = redis.call('ZSCORE', P .. 'seen:' .. place.pool, ticket)
  return seen and now - tonumber(seen) < awayMs
end

local function remove(ticket, place)
  redis.call('ZREM', P .. 'line:' .. place.account, ticket)
  redis.call('ZREM', P .. 'seen:' .. place.pool, ticket)
  redis.call('HDEL', P .. 'places', ticket)
end

-- The present places before the ticket's; all without one.
local function aheadOf(account, ticket)
  local ahead = {}
  for _, each in ipairs(redis.call('ZRANGE', P .. 'line:' .. account, 0, -1)) do
    if each == ticket then break end
    local place = placeOf(each)
    if place and isPresent(each, place) then ahead[#ahead + 1] = place end
  end
  return ahead
end

-- Free slots of each kind; -1 if no connected worker could ever perform it.
local known = {}
local function freeOf(kind)
  if known[kind] then return known[kind] end
  local free = redis.call('ZCARD', P .. 'shows:' .. kind) == 0 and -1 or 0
  for _, id in ipairs(redis.call('ZRANGE', P .. 'offers:' .. kind, 0, -1)) do
    free = free + tonumber(redis.call('HGET', P .. 'worker:' .. id, 'free') or 0)
  end
  known[kind] = free
  return free
end
local function freeFor(kinds)
  local free = math.huge
  for _, kind in ipairs(kinds) do free = math.min(free, freeOf(kind)) end
  return free
end

local commands = {}

-- account, ticket or '', kinds as JSON -> 1 if it may ask for slots
function commands.is_next()
  local ahead = aheadOf(arg(1), arg(2))
  if #ahead == 0 then return 1 end
  local free, rivals = freeFor(cjson.decode(arg(3))), 0
  if free < 0 then return 1 end
  for _, place in ipairs(ahead) do
    if freeFor(place.kinds) > 0 then rivals = rivals + 1 end
    if rivals >= free then return 0 end
  end
  return free > rivals and 1 or 0
end

-- account, ticket or '', place as JSON, ticket of a new place, forgotten after, most places of the
-- pool, of the account and of a visitor -> ticket, places ahead; nothing if there is no room
function commands.join()
  local account, ticket, place = arg(1), arg(2), cjson.decode(arg(3))
  local line, seen = P .. 'line:' .. account, P .. 'seen:' .. place.pool
  for _, each in ipairs(redis.call('ZRANGEBYSCORE', seen, '-inf', now - tonumber(arg(5)), 'LIMIT', 0, 100)) do
    local forgotten = placeOf(each)
    if forgotten then remove(each, forgotten) else redis.call('ZREM', seen, each) end
  end
  if not redis.call('ZSCORE', line, ticket) then
    if redis.call('ZCARD', seen) >= tonumber(arg(6)) then return false end
    local tickets, ofVisitor = redis.call('ZRANGE', line, 0, -1), 0
    if #tickets >= tonumber(arg(7)) then return false end
    for _, each in ipairs(tickets) do
      local other = placeOf(each)
      if other and place.visitor and other.visitor == place.visitor then ofVisitor = ofVisitor + 1 end
    end
    if ofVisitor >= tonumber(arg(8)) then return false end
    ticket = arg(4)
    redis.call('ZADD', line, redis.call('INCR', P .. 'line-arrivals'), ticket)
  end
  local before = placeOf(ticket)
  if before then redis.call('ZREM', P .. 'seen:' .. before.pool, ticket) end
  redis.call('HSET', P .. 'places', ticket, arg(3))
  redis.call('ZADD', seen, now, ticket)
  return { ticket, #aheadOf(account, ticket) }
end

-- account, ticket
function commands.leave()
  local place = placeOf(arg(2))
  if not place or place.account ~= arg(1) then return 0 end
  remove(arg(2), place)
  return 1
end

-- pools -> present places of each
function commands.waiting()
  local counts = {}
  for i = 4, #ARGV do
    counts[#counts + 1] = redis.call('ZCOUNT', P .. 'seen:' .. ARGV[i], now - awayMs + 1, '+inf')
  end
  return counts
end

return commands[command]()
