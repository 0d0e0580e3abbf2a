package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

const permissionsLong = `Shows the rules by which a model may call tools in a session, and changes the session's own.

A rule is a tool's name with or without a pattern: bash (every command), "bash(git status)" (this command),
"bash(git status *)" (with any arguments), "read(src/**)" (files below the session's folder), "write(/tmp/x/**)".

A denial holds wherever it comes from. Otherwise the nearest rule decides: the session's own before those in
config.yaml before the defaults; among rules of one place, asking beats allowing. Without a rule you are asked.

--allow, --ask and --deny add a rule, in the place of one for the same calls; --remove removes one. Each may be given
several times.`

func (p *program) permissionsCommand() *cobra.Command {
	var allow, ask, deny, remove []string
	cmd := &cobra.Command{
		Use:     "permissions ID",
		Short:   "Show or change what tools may do in a session",
		GroupID: groupChange,
		Long:    permissionsLong,
		Example: `  palimpsest permissions 01JD9ZK3
  palimpsest permissions 01JD9ZK3 --allow "bash(go test *)" --deny "read(secrets/**)"
  palimpsest permissions 01JD9ZK3 --remove "bash(go test *)"`,
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
	}
	cmd.Flags().StringArrayVar(&allow, "allow", nil, "a rule for calls that run without asking")
	cmd.Flags().StringArrayVar(&ask, "ask", nil, "a rule for calls that are asked about")
	cmd.Flags().StringArrayVar(&deny, "deny", nil, "a rule for calls that never run")
	cmd.Flags().StringArrayVar(&remove, "remove", nil, "a rule to remove")
	cmd.RunE = p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
		rules, err := b.Permissions(id)
		if len(allow)+len(ask)+len(deny)+len(remove) > 0 && err == nil {
			rules, err = b.ChangePermissions(cmd.Context(), id, func(had []session.Permission) []session.Permission {
				had = without(had, slices.Concat(allow, ask, deny, remove))
				for effect, texts := range map[string][]string{"allow": allow, "ask": ask, "deny": deny} {
					for _, text := range texts {
						had = append(had, session.Permission{Rule: text, Effect: effect})
					}
				}
				slices.SortStableFunc(had, byEffect)
				return had
			})
		}
		if err != nil {
			return err
		}
		return p.permissionsText(&rules)
	})
	return cmd
}

// byEffect puts rules in the order in which they count.
func byEffect(a, b session.Permission) int {
	order := []string{"deny", "ask", "allow"}
	return slices.Index(order, a.Effect) - slices.Index(order, b.Effect)
}

func without(had []session.Permission, rules []string) []session.Permission {
	return slices.DeleteFunc(had, func(p session.Permission) bool { return slices.Contains(rules, p.Rule) })
}

func (p *program) permissionsText(rules *backend.Permissions) error {
	if p.json {
		return p.answer(rules)
	}
	var lines []string
	for _, rule := range rules.Permissions {
		lines = append(lines, fmt.Sprintf("%-6s %-8s %s", rule.Effect, "session", oneLine(rule.Rule)))
	}
	for _, rule := range rules.Inherited {
		lines = append(lines, fmt.Sprintf("%-6s %-8s %s", rule.Effect, rule.Scope, oneLine(rule.Rule)))
	}
	if rules.NoTools != nil {
		lines = append(lines, "no tools: "+oneLine(*rules.NoTools))
	}
	for _, line := range lines {
		if err := p.say("%s", line); err != nil {
			return err
		}
	}
	return nil
}
