package config

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestOwnSettingsOfASession(t *testing.T) {
	base := Compaction{Enabled: true, ReserveTokens: 16384, KeepRecentTokens: 20000, KeepRecentMessages: 4, Prune: true, Hook: "mine"}
	with := func(change func(c *Compaction)) Compaction {
		c := base
		change(&c)
		return c
	}
	for text, c := range map[string]struct {
		want Compaction
		says string
	}{
		"":     {base, ""},
		"null": {base, ""},
		"{}":   {base, ""},
		`{"enabled":false,"reserveTokens":5,"keepRecentTokens":7}`: {with(func(c *Compaction) {
			c.Enabled, c.ReserveTokens, c.KeepRecentTokens, c.KeepRecentMessages = false, 5, 7, 0
		}), ""},
		`{"keepRecentMessages":2,"keepRecentTokens":7}`: {with(func(c *Compaction) { c.KeepRecentTokens, c.KeepRecentMessages = 7, 2 }), ""},
		`{"maxTokens":1,"maxMessages":2,"thresholdRatio":0.5,"model":"m","prune":false}`: {with(func(c *Compaction) {
			c.MaxTokens, c.MaxMessages, c.ThresholdRatio, c.Model, c.Prune = 1, 2, 0.5, "m", false
		}), ""},
		`{"enabled":"no","reserveTokens":9}`: {with(func(c *Compaction) { c.ReserveTokens = 9 }), "compaction.enabled must be true or false"},
		`{"reserveTokens":-1}`:               {base, "compaction.reserveTokens must be a whole number"},
		`{"reserveTokens":1.5}`:              {base, "compaction.reserveTokens must be a whole number"},
		`{"reserveTokens":"5"}`:              {base, "compaction.reserveTokens must be a whole number"},
		`{"thresholdRatio":2}`:               {base, "compaction.thresholdRatio must be a number"},
		`{"model":4}`:                        {base, "compaction.model must be"},
		`{"model":"a\nb"}`:                   {base, "compaction.model must be a name on one line"},
		`{"hook":"rm -rf /"}`:                {base, `compaction."hook" is nothing that a session can set`},
		`{"strategy":"x"}`:                   {base, `compaction."strategy" is nothing`},
		`[1]`:                                {base, "must hold settings"},
		`true`:                               {base, "must hold settings"},
	} {
		got, complaints := base.Own(json.RawMessage(text))
		said := strings.Join(complaints, "\n")
		if got != c.want || c.says == "" && said != "" || !strings.Contains(said, c.says) {
			t.Errorf("%s: %+v, %s", text, got, said)
		}
	}
}
