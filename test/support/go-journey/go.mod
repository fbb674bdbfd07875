module vigia.example/journey

go 1.18

require vigia.example/client v0.0.0

replace vigia.example/client => ../../../sdk/go
