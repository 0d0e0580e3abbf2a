package server

import (
	"net/http"
	"testing"

	"palimpsest/backend"
)

func TestKeys(t *testing.T) {
	f, model := talking(t)
	model.Script(echo)
	events := f.subscribe(t)
	sent := ok[backend.Delivered](f, http.StatusCreated, "POST", "/api/keys/messages",
		`{"key":"telegram:1","text":"hello","cwd":"/x","agent":"crab","createdBy":"tg","source":"cron","cronJobId":"j"}`)
	events.until("done", sent.TurnID)
	if !sent.Created || sent.Seq == nil {
		t.Errorf("%+v", sent)
	}
	f.wantSaid(sent.SessionID, "user: hello", "assistant: re: hello")
	again := ok[backend.Delivered](f, http.StatusCreated, "POST", "/api/keys/messages", `{"key":"telegram:1","text":"more"}`)
	events.until("done", again.TurnID)
	if again.Created || again.SessionID != sent.SessionID {
		t.Errorf("%+v", again)
	}
	begun := ok[backend.Session](f, http.StatusCreated, "POST", "/api/keys/reset", `{"key":"telegram:1"}`)
	if *begun.Key != "telegram:1" || *begun.Agent != "crab" || *begun.CreatedBy != "tg" || begun.CronJobID != "j" || *begun.Cwd != "/x" {
		t.Errorf("%+v", begun)
	}
	for query, want := range map[string]int{
		"key=telegram:1": 2, "key=telegram": 0, "agent=crab&createdBy=tg": 2, "source=cron": 2, "source=interactive": 0, "cronJobId=j&limit=1": 1,
	} {
		if list := ok[[]backend.Session](f, http.StatusOK, "GET", "/api/sessions?"+query, ""); len(list) != want {
			t.Errorf("%s: %d", query, len(list))
		}
	}
	f.refused(http.StatusNotFound, backend.CodeNotFound, "POST", "/api/keys/reset", `{"key":"nobody"}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/keys/reset", `{}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/keys/messages", `{"text":"x"}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/keys/messages", `{"key":"k","text":"x","id":"y"}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/sessions?source=moon", "")
}
