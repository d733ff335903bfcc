-- Asks for the paths of a file, a line each, in turn: wrk -s get_paths.lua URL -- FILE
local requests = {}
local last = 0

function init(arguments)
   for path in io.lines(arguments[1]) do
      requests[#requests + 1] = wrk.format("GET", path)
   end
end

function request()
   last = last % #requests + 1
   return requests[last]
end
