-- Sends the bodies of a file, a line each, in turn: wrk -s verify_receipt.lua URL -- FILE
local requests = {}
local last = 0

function init(arguments)
   for body in io.lines(arguments[1]) do
      requests[#requests + 1] = wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, body)
   end
end

function request()
   last = last % #requests + 1
   return requests[last]
end
