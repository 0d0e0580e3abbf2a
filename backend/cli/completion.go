package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const completionLong = `Prints a script that makes a shell complete verbs, flags and the ids of your sessions.

  bash         palimpsest completion bash > ~/.local/share/bash-completion/completions/palimpsest
               (needs the package bash-completion)
  zsh          palimpsest completion zsh > "${fpath[1]}/_palimpsest"
  fish         palimpsest completion fish > ~/.config/fish/completions/palimpsest.fish
  powershell   palimpsest completion powershell >> $PROFILE

It takes effect in the next shell you start.`

func (p *program) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print a script that completes verbs and ids in a shell",
		GroupID:   groupOther,
		Long:      completionLong,
		Example:   "  source <(palimpsest completion bash)",
		Args:      takes(1, 1),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			scripts := map[string]func(io.Writer) error{
				"bash":       func(w io.Writer) error { return cmd.Root().GenBashCompletionV2(w, true) },
				"zsh":        cmd.Root().GenZshCompletion,
				"fish":       func(w io.Writer) error { return cmd.Root().GenFishCompletion(w, true) },
				"powershell": cmd.Root().GenPowerShellCompletionWithDesc,
			}
			script := scripts[args[0]]
			if script == nil {
				return badInput(cmd, "there is no completion for the shell %q; there is for bash, zsh, fish and powershell", args[0])
			}
			if err := script(p.out); err != nil {
				return fmt.Errorf("writing the completion script: %w", err)
			}
			return nil
		},
	}
}

// completeIDs offers the ids of sessions, or of those in the trash, for the first argument.
func completeIDs(opts backend.ListOptions) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		const nothing = cobra.ShellCompDirectiveNoFileComp
		if len(args) > 0 {
			return nil, nothing
		}
		// What is wrong with the settings is told when the verb runs.
		b, err := backend.Open(backend.Options{})
		if err != nil {
			return nil, nothing
		}
		opts.Quick = true
		sessions, err := b.List(cmd.Context(), opts)
		if err != nil {
			return nil, nothing
		}
		var ids []string
		for _, s := range sessions {
			if strings.HasPrefix(s.ID, typed) {
				ids = append(ids, cobra.CompletionWithDesc(s.ID, title(s)))
			}
		}
		return ids, nothing | cobra.ShellCompDirectiveKeepOrder
	}
}

// anySession and trashedSession complete the argument of most verbs.
var (
	anySession     = completeIDs(backend.ListOptions{Archived: true})
	trashedSession = completeIDs(backend.ListOptions{Trash: true})
)
