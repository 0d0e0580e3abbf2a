// Package index is the disposable index: what the library knows of sessions, and a search through all of their texts.
//
// It is one SQLite database in a directory of its own, and can be deleted at any time: what can be read from sessions is read again, and what
// of others is to outlive it can be handed over to a second one. Several processes share it. Every blob and row
// has a checksum, and the numbers of rows are kept, so that a bit that flipped is an error and never a text that is not found. It knows
// nothing of logs, agents or the language of the search box.
//
// One that is damaged, or of an older version, is set aside and begun anew, and [Index.Salvage] puts back what can be read of the other:
// sessions whose files are gone can't be read again. It goes through the file page by page and takes whatever its checksum proves,
// since what leads from page to page may be what is damaged. A session of which a text is missing is to be read again, if that can be. What
// could not be read all of is kept as unread.db, the last of them; one of a newer version is left alone, and another stands beside it.
// [Index.Check] finds what is damaged of a session before somebody needs it.
//
// What is taken out is overwritten, but for the texts of a block that others are in, and what the database leaves of rows that it moves; of
// what is to be forgotten, [Index.Forget] leaves no byte.
//
// # How it searches
//
// Texts are packed into blocks of 64 KiB in the order in which they come, small sessions together, a long text in pieces. Each block
// has a filter: a bit for each run of one, two, three and four bytes in its folded text. A query asks the filters for runs that a
// match must have, those of a literal or those a regular expression can't do without, and reads what they let through: the newest
// session first, of each session the blocks that may have its best hit first, until there are enough. What was let through is
// compared text by text, so nothing is found that is not there; and since a block is passed over only if a run is missing, nothing
// is missed. One way for words, parts of words, two Chinese characters, signs and expressions, with or without case.
//
// Reading every filter would be reading a quarter of the text. So the filters of 504 blocks are turned into a sheet, in which what
// one bit says of all of them is one row of 63 bytes; a query reads a dozen rows of each sheet. Blocks that wait for a sheet are
// loose, and their filters in memory, 8 MB at most. Blocks that are not full are joined when there are 64.
//
// What its caller keeps of a session and grows with it is in pieces of their own, which are never written twice: an append reads and writes the
// row, of a few KB, and lists read no more of it. What is so only as long as a session ends there can be taken back by the next append ([Index.Try]):
// its texts are marked as those of a write that was given up, and go when blocks are joined.
//
// A session that is put again gets a new number; what has the old one is dead, and is cleaned out when a quarter of everything is,
// a sheet at a time and no more than twice what the write itself brought. A write of more than 4 MB goes out in parts that show
// only with the last.
//
// # Figures
//
// Measured on 2 cores that had other work (load 9 to 16), with generated conversations: a Zipf vocabulary, Chinese, code and paths.
// BenchmarkSearch, 300 MB of text in 2,000 sessions, 50 sessions wanted, no block in the cache, p50:
//
//	common word 30 ms; a word in a sixth of the sessions 24 to 42 ms; rare word 3.8 ms; part of a word 4.0 ms; two Chinese
//	characters 6.5 ms, common ones 33 ms; f(x)[ 33 ms; a lone quote 15 to 32 ms; nothing 0.4 ms; expression with a literal 3.6 ms,
//	with common ones 27 to 62 ms, with a few characters to choose from at two or three places 26 ms; without any it looks as far as its
//	budget of 400 ms goes, and on from there: 150 MB take 1.6 s of processor time (package automaton; 13 to 18 s with package
//	regexp alone)
//
// BenchmarkBuild: 38 MB/s; 300 MB took 6.0 s of processor time with those neighbours, and 68 MB of memory at the peak, most of which
// made the text. On disk 0.9 times this text, which hardly repeats itself (0.61 for texts, 0.25 for filters); of source code and
// documentation 0.33 and 0.17. There, with 617 blocks, words of five to seven letters that are in at most three blocks were let
// through to 1 to 3 % of the others; with runs of three bytes alone it was 14 to 20 %.
//
// BenchmarkFullIndex of package backend, sessions of all formats into a new index: 305 MB of files have 211 MB of text, and the index
// takes 178 MB, 0.84 times the text and 0.58 times the files; 2.07 GB, of which one session is half, have 1.48 GB, and it takes 1.13 GB,
// 0.77 and 0.55 times.
//
// The alternative were full-text tables (BenchmarkTables, 30 MB):
//
//	unicode61   8.9 MB/s, 0.51 times the text (without the text); finds no parts of words and no Chinese word in a run, ignores signs;
//	            common word 105 ms, since all hits are ranked
//	trigram     1.5 MB/s, 2.8 times the text (without the text); finds nothing shorter than three characters, so no Chinese word of
//	            two; common word 65 ms
//
// At 300 MB the trigram table takes minutes to fill and more room than the sessions. Neither helps an expression, or gives an
// excerpt. For text, zstd saved a quarter of s2's bytes and took two to three times its time, either way.
//
// # Memory
//
// Up to 12 MB of blocks that were read, 8 MB of filters, 100 to 150 bytes for each session and block, and for each Put at a time
// some 5 MB; the database's own caches are 6 MB. Between calls nothing runs.
package index
