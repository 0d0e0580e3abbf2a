package backend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"palimpsest/backend/agent"
)

// TestASessionsOwnCompaction: its settings go before those of config.yaml, by itself and by hand, and behind what is asked for;
// what is unknown there is told once, and stays.
func TestASessionsOwnCompaction(t *testing.T) {
	k := talk(t, "context_window: 100000", "compaction: {reserve_tokens: 10000, keep_recent_tokens: 30000, max_tokens: 80000}")
	var mu sync.Mutex
	var warned []string
	k.warn = func(err error) {
		mu.Lock()
		defer mu.Unlock()
		warned = append(warned, err.Error())
	}
	other := newsSession(t, k.Backend)
	made, err := k.New(NewSession{Key: "cron:x"})
	newsMust(t, err)
	k.id = made.ID
	path := filepath.Join(filepath.Dir(k.store.LogPath(k.id)), "metadata.json")
	var members map[string]any
	read := func(id string) map[string]any {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(filepath.Dir(k.store.LogPath(id)), "metadata.json"))
		newsMust(t, err)
		members = nil
		newsMust(t, json.Unmarshal(data, &members))
		return members
	}
	read(k.id)["compaction"] = map[string]any{"enabled": false, "reserveTokens": 20000, "keepRecentTokens": 10, "maxTokens": 0, "shape": "round", "prune": 7}
	data, err := json.Marshal(members)
	newsMust(t, err)
	newsMust(t, os.WriteFile(path, data, 0o600))

	c, err := k.resolve(k.id)
	newsMust(t, err)
	for range 2 {
		choice, err := k.choose(t.Context(), k.id, agent.Wanted{}, &c)
		newsMust(t, err)
		if choice.Compaction.Auto || !choice.Compaction.Prune || choice.Budget.Reserve != 20000 || choice.Budget.KeepRecent != 10 || choice.Budget.Trigger() != 80000 {
			t.Errorf("%+v, %+v", choice.Compaction, choice.Budget)
		}
	}
	if choice, err := k.choose(t.Context(), other, agent.Wanted{}, &c); err != nil || !choice.Compaction.Auto || choice.Budget.Reserve != 10000 {
		t.Errorf("another session's: %+v, %v", choice, err)
	}
	if len(warned) != 2 || !strings.Contains(warned[0], "compaction.prune must be true or false") || !strings.Contains(warned[1], `compaction."shape"`) {
		t.Errorf("%q", warned)
	}

	// By hand: what stays is as the session has it, and as the user says if he does.
	for _, text := range []string{"one", "two", "three"} {
		u := k.say(text)
		k.server.Next().Answer(strings.Repeat("word ", 100))
		u.ok()
	}
	if r, err := k.PlanCompaction(t.Context(), k.id, Cut{}); err != nil || r.Plan == nil || len(r.Plan.Keep) > 2 {
		t.Errorf("%+v, %v", r.Plan, err)
	}
	most := 1 << 20
	if r, err := k.PlanCompaction(t.Context(), k.id, Cut{KeepRecent: &most}); err != nil || r.Plan != nil {
		t.Errorf("%+v, %v", r.Plan, err)
	}
	if shown, err := k.Context(k.id, ContextOptions{}); err != nil || shown.Tokens.Reserve != 20000 {
		t.Errorf("%+v, %v", shown.Tokens, err)
	}

	// It outlasts what rewrites metadata, and goes along.
	_, err = k.Rename(t.Context(), k.id, "named")
	newsMust(t, err)
	fork, err := k.Fork(k.id, 0)
	newsMust(t, err)
	next, err := k.Reset(t.Context(), "cron:x")
	newsMust(t, err)
	for _, id := range []string{k.id, fork.ID, next.ID} {
		if own, _ := read(id)["compaction"].(map[string]any); own["shape"] != "round" || own["enabled"] != false {
			t.Errorf("%v", members)
		}
	}
}
