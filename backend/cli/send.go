package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

const sendLong = `Sends a message to the model and prints its answer as it comes. The message is saved before the model is asked, and
the answer, whole or not, when it ends: nothing is lost if the model fails, or on Ctrl-C, which keeps what came so far.

TEXT is the message; without it, or with -, it is read from standard input. Instead of an ID, --key names a session by a
key of your own, which is created if there is none, and --continue takes the newest one of this folder. --agent A, with
--created-by B if it is not you, takes the newest of that pair or creates it. A session that is created works in this
folder, and is tagged by --source, --cron-job-id, --agent and --created-by; one that is there stays as it is.

The session of a key is over once the clock has passed session.reset_hour (4, at night) since its last message, or after
session.idle_minutes, if that is set: then a new one is begun under the key, and the old one stays. palimpsest reset
does the same at once.

Before each request, between tool results and the next one too, a context that has outgrown the model's window is made
to fit: old tool output is cleared and, where that is not enough, older messages are summarized. A request that the
model finds too long is made once more after that. An answer that begins with NO_REPLY is saved, and not printed.

In a session that has a folder the model may call tools there, by the rules that palimpsest permissions shows. Where
no rule decides you are asked, if there is a terminal; else the call does not run. --allow RULE, which may be given
several times, allows calls in this turn. With --json nothing is asked.

--image FILE, which may be given several times, shows the model an image, with a TEXT or without: PNG, JPEG, GIF or
WebP of up to 5 MB each. It is kept with the conversation.

--no-history asks without the conversation and saves nothing in it; with a key that has no session yet, none is made.
--retry asks again where the last message has no answer.

With --json each event is one line of JSON; the last is of kind "done".`

// sendOptions are what a message is sent with.
type sendOptions struct {
	newest  bool
	images  []string // their files
	message backend.Addressed
}

// addressed tells whether the session is named by a key or an agent.
func (o *sendOptions) addressed() bool { return o.message.Key != "" || o.message.Agent != "" }

// tags are flags that mean nothing where a session is named by its id.
func (o *sendOptions) tags() bool {
	return o.message.CreatedBy != "" || o.message.Source != "" || o.message.CronJobID != ""
}

func (p *program) sendCommand() *cobra.Command {
	var opts sendOptions
	cmd := &cobra.Command{
		Use:     "send ID [TEXT]",
		Short:   "Send a message to the model",
		GroupID: groupChange,
		Long:    sendLong,
		Example: `  palimpsest send 01JD9ZK3 "And now the tests."
  git diff | palimpsest send --key review "Review this change:" -
  palimpsest send --key cron:nightly --source cron --cron-job-id nightly --allow "bash(git *)" "What is new?"
  palimpsest send --agent crab --created-by tg:123 "Hello."
  palimpsest send --continue "Go on."
  palimpsest send --continue --image screen.png "What is wrong here?"
  palimpsest send 01JD9ZK3 --allow "bash(go test *)" "Make the tests pass."
  palimpsest send 01JD9ZK3 --retry`,
		Args:              cobra.ArbitraryArgs, // send says itself what is missing
		ValidArgsFunction: anySession,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.send(cmd, args, opts)
		},
	}
	cmd.Flags().StringVar(&opts.message.Key, "key", "", "the session of this key, made if there is none")
	cmd.Flags().StringVar(&opts.message.Agent, "agent", "", "without --key: the newest session of this agent; with it, a tag")
	cmd.Flags().StringVar(&opts.message.CreatedBy, "created-by", "", "who the agent talks to (default cli)")
	cmd.Flags().StringVar(&opts.message.Source, "source", "", "interactive or cron, of a session that is made (default interactive)")
	cmd.Flags().StringVar(&opts.message.CronJobID, "cron-job-id", "", "the job that makes it; only with --source cron")
	cmd.Flags().BoolVar(&opts.newest, "continue", false, "the newest session of this folder")
	cmd.Flags().StringVar(&opts.message.Model, "model", "", "the model to ask, from here on")
	cmd.Flags().StringVar(&opts.message.Provider, "provider", "", "the server to ask by its name in config.yaml, from here on; default: that of base_url")
	cmd.Flags().BoolVar(&opts.message.NoHistory, "no-history", false, "ask without the conversation, and save nothing")
	cmd.Flags().BoolVar(&opts.message.Retry, "retry", false, "ask again where the last message has no answer")
	cmd.Flags().StringArrayVar(&opts.images, "image", nil, "an image that goes with the message")
	cmd.Flags().StringArrayVar(&opts.message.Allow, "allow", nil, "a rule for tool calls that run without asking, in this turn")
	return cmd
}

func (p *program) send(cmd *cobra.Command, args []string, opts sendOptions) error {
	switch {
	case cmd.Flags().Changed("key") && opts.message.Key == "":
		return badInput(cmd, "the key is empty: nothing was sent") // a variable of a script that is not set, most likely
	case opts.addressed() && opts.newest:
		return badInput(cmd, "--key or --agent, and --continue, both name a session; give one of them")
	case !opts.addressed() && opts.tags():
		return badInput(cmd, "--created-by, --source and --cron-job-id are for a session that --key or --agent names")
	}
	named := !opts.addressed() && !opts.newest
	if named && len(args) == 0 {
		return badInput(cmd, "send: an argument is missing; usage: %s", cmd.UseLine())
	}
	text := args
	if named {
		text = args[1:]
	}
	message, err := p.messageOf(cmd, text, opts)
	if err != nil {
		return err
	}
	if named {
		return p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
			if message.Images, err = imagesIn(b, opts.images); err != nil {
				return err
			}
			return p.talk(cmd, b, toSession(id, message.Outgoing))
		})(cmd, args[:1])
	}
	b, err := p.open()
	if err != nil {
		return err
	}
	if message.Images, err = imagesIn(b, opts.images); err != nil {
		return err
	}
	if message.Cwd, err = os.Getwd(); err != nil {
		return fmt.Errorf("finding this folder: %w", err)
	}
	if opts.addressed() {
		return p.talk(cmd, b, toAddress(message))
	}
	id, err := newestIn(cmd.Context(), b, message.Cwd)
	if err != nil {
		return err
	}
	return p.talk(cmd, b, toSession(id, message.Outgoing))
}

// messageOf puts the message together from the arguments; - stands for standard input.
func (p *program) messageOf(cmd *cobra.Command, text []string, opts sendOptions) (backend.Addressed, error) {
	m := opts.message
	if m.Retry {
		if len(text) > 0 {
			return m, badInput(cmd, "--retry takes no text: it asks again about what is there")
		}
		return m, nil
	}
	if len(text) == 0 && len(opts.images) == 0 {
		text = []string{"-"}
	}
	for i, part := range text {
		if part == "-" {
			read, err := p.textOf(cmd, "-")
			if err != nil {
				return m, err
			}
			part = read
		}
		if i > 0 {
			m.Text += "\n\n"
		}
		m.Text += part
	}
	return m, nil
}

// newestIn is the newest session of a folder.
func newestIn(ctx context.Context, b *backend.Backend, folder string) (string, error) {
	list, err := b.List(ctx, backend.ListOptions{Quick: true})
	if err != nil {
		return "", err
	}
	for i := range list {
		if orEmpty(list[i].Cwd) == folder {
			return list[i].ID, nil
		}
	}
	return "", &fault{
		err:  fmt.Errorf("no session was begun in %s: %w", folder, session.ErrNotFound),
		hint: "palimpsest new --cwd . begins one; palimpsest list shows the sessions there are",
	}
}

var errInterrupted = errors.New("interrupted: what came so far is in the log")
