package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const newLong = `Creates an empty session and prints its id.

All flags are optional. The model is the one in config.yaml unless --model names another; no model is asked for
anything here. --key is a name for programs, such as the number of a ticket; of several sessions with the same one the
newest is found by it. --agent and --created-by say who talks to whom; the newest session of a pair is found by them,
too.`

func (p *program) newCommand() *cobra.Command {
	var n backend.NewSession
	cmd := &cobra.Command{
		Use:     "new",
		Short:   "Create a session",
		GroupID: groupChange,
		Long:    newLong,
		Example: `  palimpsest new --name "fix deploy" --cwd "$PWD"
  palimpsest new --source cron --cron-job-id nightly --json`,
		Args:              takes(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			if n.Cwd != "" { // by which send --continue finds it
				folder, err := filepath.Abs(n.Cwd)
				if err != nil {
					return fmt.Errorf("finding the folder %s: %w", n.Cwd, err)
				}
				n.Cwd = folder
			}
			b, err := p.open()
			if err != nil {
				return err
			}
			created, err := b.New(n)
			if err != nil {
				return err
			}
			return p.tell(created, "%s", created.ID)
		},
	}
	cmd.Flags().StringVar(&n.Name, "name", "", "its name")
	cmd.Flags().StringVar(&n.Model, "model", "", "the model it talks to")
	cmd.Flags().StringVar(&n.Provider, "provider", "", "the server it talks to, by its name in config.yaml; default: that of base_url")
	cmd.Flags().StringVar(&n.Cwd, "cwd", "", "the folder it works in")
	cmd.Flags().StringVar(&n.Key, "key", "", "a name for programs, of at most 256 bytes")
	cmd.Flags().StringVar(&n.Agent, "agent", "", "the agent that talks in it")
	cmd.Flags().StringVar(&n.CreatedBy, "created-by", "", "who made it (default cli)")
	cmd.Flags().StringVar(&n.SystemPrompt, "system-prompt", "", "what the model is told first, instead of the setting")
	cmd.Flags().StringVar(&n.Source, "source", "", "interactive or cron (default interactive)")
	cmd.Flags().StringVar(&n.CronJobID, "cron-job-id", "", "the job that made it; only with --source cron")
	return cmd
}

func (p *program) renameCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "rename ID NAME",
		Short:   "Give a session a name",
		GroupID: groupChange,
		Long:    "Gives a session a name. An empty one clears it. The name is kept beside the log; the log is not touched.",
		Example: `  palimpsest rename 01JD9ZK3 "fix deploy"
  palimpsest rename 01JD9ZK3 ""`,
		Args:              takes(2, 2),
		ValidArgsFunction: anySession,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
				renamed, err := b.Rename(cmd.Context(), id, args[1])
				if err != nil {
					return err
				}
				if renamed.Name == nil {
					return p.tell(renamed, "%s has no name any more", id)
				}
				return p.tell(renamed, "%s is named %s", id, oneLine(*renamed.Name))
			})(cmd, args)
		},
	}
}
