module vigia.example/client

go 1.18
