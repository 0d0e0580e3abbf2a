package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"palimpsest/backend/agent"
	"palimpsest/backend/agent/permission"
	"palimpsest/backend/config"
	"palimpsest/backend/library"
	"palimpsest/backend/llm"
	"palimpsest/backend/session"
)

// Permissions are the rules that decide about tool calls in a session.
type Permissions struct {
	SessionID string `json:"sessionId"`
	// Permissions are the session's own, and can be changed.
	Permissions []session.Permission `json:"permissions"`
	// Inherited are those of the settings and the program's own, which hold where the session has none.
	Inherited []InheritedPermission `json:"inherited"`
	// NoTools says why the model is offered no tools, nil if it is offered some.
	NoTools *string `json:"noTools"`
}

// InheritedPermission is a rule that is not the session's.
type InheritedPermission struct {
	session.Permission
	Scope string `json:"scope"`
}

// Permissions tells which rules decide about tool calls in a session.
func (b *Backend) Permissions(id string) (Permissions, error) {
	meta, err := b.store.Metadata(id)
	if err != nil {
		return Permissions{}, err
	}
	out := Permissions{
		SessionID: id, Permissions: append([]session.Permission{}, meta.Granted()...), Inherited: []InheritedPermission{}, NoTools: b.noTools(id),
	}
	settings, _ := b.Settings()
	for _, rule := range slices.Concat(settings.Permissions.Rules(), permission.Defaults()) {
		scope := "default"
		if rule.Scope == permission.Config {
			scope = "config"
		}
		out.Inherited = append(out.Inherited, InheritedPermission{session.Permission{Rule: rule.String(), Effect: rule.Effect.String()}, scope})
	}
	return out, nil
}

// noTools says why the model is offered no tools in a session.
func (b *Backend) noTools(id string) *string {
	if library.IsRef(id) {
		return &noForeignTools
	}
	if _, err := b.folder(id); err != nil {
		why := err.Error()
		return &why
	}
	return nil
}

// ChangePermissions replaces a session's rules by what change makes of them. Nothing is changed if one of those is none.
func (b *Backend) ChangePermissions(ctx context.Context, id string, change func([]session.Permission) []session.Permission) (Permissions, error) {
	if _, err := b.store.Get(id); err != nil {
		return Permissions{}, err
	}
	var wrong error
	_, err := b.store.ChangePermissions(ctx, id, func(had []session.Permission) []session.Permission {
		wanted := slices.Clone(change(slices.Clone(had)))
		for i, p := range wanted {
			rule, err := ruleOf(p)
			if err != nil {
				wrong = fmt.Errorf("%w: session %s: %w", session.ErrInput, id, err)
				return had
			}
			wanted[i].Rule = rule.String()
		}
		return slices.CompactFunc(wanted, func(a, b session.Permission) bool { return a == b })
	})
	if wrong != nil {
		err = wrong
	}
	if err != nil {
		return Permissions{}, err
	}
	return b.Permissions(id)
}

// ErrRulesStale is returned where a session's rules are not those any more that new ones were made from.
var ErrRulesStale = errors.New("its rules have changed since they were read")

// SetPermissions replaces a session's rules. base are those that the new ones were made from: where they are others by now,
// nothing is changed; nil for whatever they are.
func (b *Backend) SetPermissions(ctx context.Context, id string, rules, base []session.Permission) (Permissions, error) {
	stale := false
	out, err := b.ChangePermissions(ctx, id, func(had []session.Permission) []session.Permission {
		if stale = base != nil && !slices.Equal(had, base); stale {
			return had
		}
		return rules
	})
	if stale {
		return Permissions{}, fmt.Errorf("session %s: %w", id, ErrRulesStale)
	}
	return out, err
}

// ruleOf reads a rule of a session.
func ruleOf(p session.Permission) (permission.Rule, error) {
	effects := map[string]permission.Effect{"allow": permission.Allow, "ask": permission.Ask, "deny": permission.Deny}
	effect, known := effects[p.Effect]
	if !known {
		return permission.Rule{}, fmt.Errorf("rule %q: its effect is %q, not allow, ask or deny", p.Rule, p.Effect)
	}
	return permission.Parse(p.Rule, effect, permission.Session)
}

// checkAllowed says what is wrong with rules that are to hold for one turn.
func checkAllowed(rules []string) error {
	for _, text := range rules {
		if _, err := permission.Parse(text, permission.Allow, permission.Session); err != nil {
			return err
		}
	}
	return nil
}

// judgement is a decision, and the rules that it was made by.
type judgement struct {
	permission.Decision
	rules []permission.Rule
}

// judge decides about a call by the rules as they are now.
func (b *Backend) judge(from agent.Caller, facts permission.Call) (judgement, error) {
	meta, err := b.store.Metadata(from.SessionID)
	if err != nil {
		return judgement{}, err
	}
	settings, problems := b.Settings()
	rules := slices.Concat(permission.Defaults(), rulesOf(&meta, settings))
	for _, text := range from.Allow {
		if rule, err := permission.Parse(text, permission.Allow, permission.Session); err == nil { // checked when it was given
			rules = append(rules, rule)
		}
	}
	j := judgement{permission.Decide(rules, facts), rules}
	if j.Effect == permission.Allow && config.RulesLost(problems) {
		j.Effect = permission.Ask
		j.Why = "config.yaml has a mistake, and a rule that can't be read there may deny this."
	}
	return j, nil
}

// rulesOf are those of the settings and of a session.
func rulesOf(meta *session.Metadata, settings config.Config) []permission.Rule {
	rules := settings.Permissions.Rules()
	for _, p := range meta.Granted() {
		if rule, err := ruleOf(p); err == nil { // what another version wrote, and this one can't read, allows nothing
			rules = append(rules, rule)
		}
	}
	return rules
}

// argumentsOf are a call's, if they are JSON.
func argumentsOf(call llm.Call) json.RawMessage {
	if !json.Valid([]byte(call.Arguments)) {
		return nil
	}
	return json.RawMessage(call.Arguments)
}
