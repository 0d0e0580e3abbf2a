package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend/session"
)

// Groups of verbs in the help of the whole.
const (
	groupLook   = "look"
	groupChange = "change"
	groupLife   = "life"
	groupServe  = "serve"
	groupOther  = "other"
)

const rootLong = `Palimpsest keeps conversations with a model, and what the model sees of them.

Without arguments the program opens its window. With a verb it does that one thing and ends.

A session is a log that only grows. Compactions, prunes and reverts are records in it like any other: they change what
the model sees, never what is written. So everything here can be undone, but for purge.

Sessions are in the directory that AGENT_HOME names, or else in ~/.agent:

  sessions/ID/session.jsonl    the log, one JSON object a line
  trash/ID/                    what rm removed
  config.yaml                  your settings

An ID is 26 characters long; its first 6 or more will do if no other session's begins with them.
Sessions of other agents have ids such as codex:0199c3c1; they are read where they lie, and never changed.

With --json every verb prints one JSON document, also when it fails: {"error":{"code","message","hint"}}. Only send
prints one a line, as its answer comes in.

A model is asked through the API of OpenAI, as OpenAI, Ollama, llama.cpp, LM Studio, vLLM and OpenRouter serve it. In
config.yaml, base_url is its address and model its name (or PALIMPSEST_BASE_URL, PALIMPSEST_MODEL); providers are several
such places with names. A key is kept in the system's keychain by palimpsest key set, or set as PALIMPSEST_API_KEY, and is
never written to a file. Only send and models need one.

Exit codes: 0 done, 1 failed, 2 bad input, 3 not found, 4 busy (another program is writing to the session), 5 stale (the
conversation has changed since), 6 no model, 7 overflow (too long for the model).`

const rootExample = `  palimpsest list
  palimpsest show 01JD9ZK3 --markdown > conversation.md
  palimpsest context 01JD9ZK3 --json
  palimpsest help append`

func (p *program) rootCommand() *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:           "palimpsest",
		Short:         "Conversations with a model, and what the model sees of them",
		Long:          rootLong,
		Example:       rootExample,
		SilenceErrors: true,
		SilenceUsage:  true,
		// Not cobra's own check, which comes before the flags are read and knows no exit codes.
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case version:
				return p.version()
			case len(args) > 0:
				return unknownVerb(cmd, args[0])
			case p.json:
				return badInput(cmd, "a verb is missing")
			}
			return cmd.Help()
		},
	}
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err.w)
	root.Flags().BoolVar(&version, "version", false, "print the version")
	p.wait = wait(session.DefaultWait)
	root.PersistentFlags().BoolVar(&p.json, "json", false, "print one JSON document")
	root.PersistentFlags().Var(&p.wait, "wait", "how long to wait while another program writes to the session; 0: not at all")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if args := cmd.Flags().Args(); cmd == root && len(args) > 0 {
			return unknownVerb(cmd, args[0])
		}
		if cmd.Name() == "search" {
			return badInput(cmd, "%w; to look for it as text, put -- in front of the query", err)
		}
		return badInput(cmd, "%w", err)
	})
	root.SetUsageTemplate(strings.NewReplacer(
		"[command]", "VERB", "about a command", "about a verb", "Global Flags:", "Flags of every verb:",
	).Replace(root.UsageTemplate()))
	root.AddGroup(
		&cobra.Group{ID: groupLook, Title: "Looking (never changes a log):"},
		&cobra.Group{ID: groupChange, Title: "Changing:"},
		&cobra.Group{ID: groupLife, Title: "Life cycle:"},
		&cobra.Group{ID: groupServe, Title: "Serving:"},
		&cobra.Group{ID: groupOther, Title: "Other:"},
	)
	p.addVerbs(root)
	return root
}

func (p *program) addVerbs(root *cobra.Command) {
	root.AddCommand(
		p.listCommand(), p.searchCommand(), p.childrenCommand(), p.showCommand(), p.contextCommand(), p.exportCommand(), p.checkCommand(),
		p.modelsCommand(), p.retentionCommand(), p.statsCommand(), p.ledgerCommand(), p.indexCommand(),
		p.newCommand(), p.sendCommand(), p.compactCommand(), p.revertCommand(), p.appendCommand(), p.renameCommand(),
		p.permissionsCommand(), p.resetCommand(),
		p.forkCommand(), p.importCommand(), p.keepCommand(),
		p.archiveCommand(), p.unarchiveCommand(), p.rmCommand(), p.restoreCommand(), p.purgeCommand(), p.cleanCommand(),
		p.keyCommand(), p.completionCommand(), p.versionCommand(),
	)
	if p.deps.Serve != nil {
		root.AddCommand(p.serveCommand())
	}
	root.SetHelpCommand(helpCommand())
}

func unknownVerb(root *cobra.Command, verb string) error {
	root.SuggestionsMinimumDistance = 2
	if similar := root.SuggestionsFor(verb); len(similar) > 0 {
		return badInput(root, "there is no verb %q; did you mean %s?", verb, strings.Join(similar, " or "))
	}
	return badInput(root, "there is no verb %q", verb)
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [VERB]",
		Short:   "Explain a verb",
		GroupID: groupOther,
		Long:    "Explains a verb, or lists them all. The same as VERB --help.",
		Example: "  palimpsest help show",
		Args:    takes(0, 1),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var verbs []string
			for _, verb := range cmd.Root().Commands() {
				if verb.IsAvailableCommand() {
					verbs = append(verbs, cobra.CompletionWithDesc(verb.Name(), verb.Short))
				}
			}
			return verbs, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Root().Help()
			}
			for _, verb := range cmd.Root().Commands() {
				if verb.Name() == args[0] {
					verb.InitDefaultHelpFlag() // which is what --help would show, too
					return verb.Help()
				}
			}
			return unknownVerb(cmd.Root(), args[0])
		},
	}
}
