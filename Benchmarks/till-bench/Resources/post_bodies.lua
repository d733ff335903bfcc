-- Sends the bodies of a file, a line each, in turn: wrk -s post_bodies.lua URL -- FILE
local requests = {}
local last = 0

function init(arguments)
   wrk.headers["Content-Type"] = "application/json"
   for body in io.lines(arguments[1]) do
      requests[#requests + 1] = wrk.format("POST", nil, nil, body)
   end
end

function request()
   last = last % #requests + 1
   return requests[last]
end
