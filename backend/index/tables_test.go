package index

import (
	"database/sql"
	"iter"
	"testing"
)

func fillTable(b *testing.B, db *sql.DB, made []iter.Seq2[Text, error]) {
	b.Helper()
	for _, all := range made {
		tx, err := db.Begin()
		if err != nil {
			b.Fatal(err)
		}
		insert, err := tx.Prepare("INSERT INTO texts (text) VALUES (?)")
		if err != nil {
			b.Fatal(err)
		}
		for t, err := range all {
			if err != nil {
				b.Fatal(err)
			}
			if _, err := insert.Exec(t.Text); err != nil {
				b.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
	}
}
