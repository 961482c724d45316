--[[
Live control planes ("nodes") and the sessions that each owns. One script, so that each command is
atomic. All keys begin with KEYS[1], a hash tag ({...}) that keeps them in one slot of a Redis cluster.

nodes    zset    node -> time of its last heartbeat, in milliseconds
homes    hash    session -> node that owns it
settled  string  time from which every live node is in `nodes`. Set with the first heartbeat that an
                 empty Redis receives: until then and a timeout later, a node without a heartbeat, or
                 a session without an owner, may only be forgotten.
]]
local P, command = KEYS[1], ARGV[1]
local function arg(i) return ARGV[i + 1] end

-- Uses Redis' clock: the clocks of the nodes may differ.
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function isSettled()
  local at = redis.call('GET', P .. 'settled')
  return at and clock() >= tonumber(at)
end
local function isListed(node) return redis.call('ZSCORE', P .. 'nodes', node) end

local commands = {}

-- node, timeout in ms -> 1 if the node was not listed; the nodes that timed out, now removed
function commands.beat()
  local now = clock()
  redis.call('SET', P .. 'settled', string.format('%d', now + tonumber(arg(2))), 'NX')
  local isNew = redis.call('ZADD', P .. 'nodes', now, arg(1))
  local gone = redis.call('ZRANGEBYSCORE', P .. 'nodes', 0, now - tonumber(arg(2)))
  for _, node in ipairs(gone) do redis.call('ZREM', P .. 'nodes', node) end
  return { isNew, gone }
end

-- -> live nodes
function commands.nodes() return redis.call('ZRANGE', P .. 'nodes', 0, -1) end

-- node: the next heartbeat of another node finds it gone.
function commands.goodbye() return redis.call('ZADD', P .. 'nodes', 'XX', 0, arg(1)) end

-- session, node that has it -> 0 if another node owns the session that may be live
function commands.own()
  local owner = redis.call('HGET', P .. 'homes', arg(1))
  if owner and owner ~= arg(2) and (isListed(owner) or not isSettled()) then return 0 end
  redis.call('HSET', P .. 'homes', arg(1), arg(2))
  return 1
end

-- session, node that knows it from the records -> 0 if another live node owns the session, 2 if
-- that is not settled yet
function commands.adopt()
  local owner = redis.call('HGET', P .. 'homes', arg(1))
  if owner == arg(2) then return 1 end
  if owner and isListed(owner) then return 0 end
  if not isSettled() then return 2 end
  redis.call('HSET', P .. 'homes', arg(1), arg(2))
  return 1
end

-- session, node: does nothing if another node owns the session.
function commands.disown()
  if redis.call('HGET', P .. 'homes', arg(1)) ~= arg(2) then return 0 end
  return redis.call('HDEL', P .. 'homes', arg(1))
end

-- session -> node, or nothing
function commands.owner_of() return redis.call('HGET', P .. 'homes', arg(1)) end

-- node -> sessions
function commands.owned_by()
  local all, found = redis.call('HGETALL', P .. 'homes'), {}
  for i = 1, #all, 2 do if all[i + 1] == arg(1) then found[#found + 1] = all[i] end end
  return found
end

return commands[command]()
