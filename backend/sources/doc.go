// Package sources reads the conversations that other agents left on this machine, in place and without ever writing there.
//
// Each agent has a package of its own below this one. It finds its sessions by cheap reads ([Source.Find]), and reads one whole
// ([Source.Read]) into a [Log]: a log of ours, with messages, and with what that agent does to its context (compaction, clearing of
// old output, branches, rollbacks) as overlays. So all that works on logs of ours works on theirs: the context as of any message,
// the sawtooth, search, export. The seq of a record is its place in this reading. What a format holds and we don't know is kept as a
// note, and a line that nobody can read stays in the log as it is, and shows as damage.
package sources
