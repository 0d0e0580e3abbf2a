package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// querier is where questions are asked: a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// preparer is a database, or one connection to it.
type preparer interface {
	querier
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// prepared parses each statement once: that takes longer than most of them do.
type prepared struct {
	from       preparer
	mu         sync.Mutex
	statements map[string]*sql.Stmt
}

func prepare(from preparer) *prepared {
	return &prepared{from: from, statements: map[string]*sql.Stmt{}}
}

func (p *prepared) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.statements[query]; s != nil {
		return s, nil
	}
	s, err := p.from.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("preparing a statement: %w", err)
	}
	p.statements[query] = s
	return s, nil
}

// close closes the statements: a connection does not do so with its own, and stays open behind them.
func (p *prepared) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, s := range p.statements {
		errs = append(errs, s.Close())
	}
	clear(p.statements)
	return errors.Join(errs...)
}

// QueryContext asks for rows.
func (p *prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...) //nolint:wrapcheck // the caller says what it was for
}

// QueryRowContext asks for one row.
func (p *prepared) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	s, err := p.statement(ctx, query)
	if err != nil {
		return p.from.QueryRowContext(ctx, query, args...) // which says why
	}
	return s.QueryRowContext(ctx, args...)
}

// blob asks for the only column of the row of a key.
func (p *prepared) blob(ctx context.Context, query string, key int64) ([]byte, error) {
	var data []byte
	err := p.QueryRowContext(ctx, query, key).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errMissing
	}
	if err != nil {
		return nil, fmt.Errorf("reading the index: %w", scanned(err))
	}
	return data, nil
}

// exec executes a statement.
func (p *prepared) exec(ctx context.Context, statement string, args ...any) error {
	_, err := p.count(ctx, statement, args...)
	return err
}

// count executes a statement, and says how many rows that changed.
func (p *prepared) count(ctx context.Context, statement string, args ...any) (int64, error) {
	s, err := p.statement(ctx, statement)
	if err != nil {
		return 0, err
	}
	done, err := s.ExecContext(ctx, args...)
	if err != nil {
		return 0, fmt.Errorf("writing: %w", err)
	}
	n, err := done.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("writing: %w", err)
	}
	return n, nil
}

// within makes a transaction of what f does.
func (p *prepared) within(ctx context.Context, f func() error) (err error) {
	if err := patient(ctx, func() error { return p.exec(ctx, "BEGIN IMMEDIATE") }); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			// It may have ended by itself, as it does when the disk is full.
			_ = p.exec(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if err := f(); err != nil {
		return err
	}
	return p.exec(ctx, "COMMIT")
}
