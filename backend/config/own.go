package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// ownSettings are the settings of compaction that a session may have of its own, by their names in its metadata and in the
// settings. A command is none of them: metadata comes along with a folder that somebody else made.
var ownSettings = map[string]struct {
	key string
	at  func(c *Compaction) any
}{
	"enabled":            {"compaction.enabled", func(c *Compaction) any { return &c.Enabled }},
	"reserveTokens":      {"compaction.reserve_tokens", func(c *Compaction) any { return &c.ReserveTokens }},
	"keepRecentTokens":   {"compaction.keep_recent_tokens", func(c *Compaction) any { return &c.KeepRecentTokens }},
	"keepRecentMessages": {"compaction.keep_recent_messages", func(c *Compaction) any { return &c.KeepRecentMessages }},
	"maxTokens":          {"compaction.max_tokens", func(c *Compaction) any { return &c.MaxTokens }},
	"maxMessages":        {"compaction.max_messages", func(c *Compaction) any { return &c.MaxMessages }},
	"thresholdRatio":     {"compaction.threshold_ratio", func(c *Compaction) any { return &c.ThresholdRatio }},
	"model":              {"compaction.model", func(c *Compaction) any { return &c.Model }},
	"prune":              {"compaction.prune", func(c *Compaction) any { return &c.Prune }},
}

// Own are these settings with those that a session has of its own, a JSON object, before them. What is unknown there, or can't
// be used, counts for nothing, and is told of.
func (c Compaction) Own(text json.RawMessage) (out Compaction, complaints []string) {
	var members map[string]json.RawMessage
	if len(text) > 0 && json.Unmarshal(text, &members) != nil {
		return c, []string{"compaction must hold settings by their names"}
	}
	out = c
	for _, name := range slices.Sorted(maps.Keys(members)) {
		own, known := ownSettings[name]
		if !known {
			complaints = append(complaints, fmt.Sprintf("compaction.%.64q is nothing that a session can set", name))
			continue
		}
		s, _ := settingOf(own.key)
		tried := out
		err := json.Unmarshal(members[name], own.at(&tried))
		want := s.check(string(members[name]))
		if s.text {
			want = s.check(tried.Model)
		}
		if err != nil && want == "" {
			want = "of another type"
		}
		if want != "" {
			complaints = append(complaints, fmt.Sprintf("compaction.%s must be %s", name, want))
			continue
		}
		out = tried
	}
	_, tokens := members["keepRecentTokens"]
	if _, messages := members["keepRecentMessages"]; tokens && !messages {
		out.KeepRecentMessages = 0 // which would go before it
	}
	return out, complaints
}
