/** The next release: a copy of this tree with migrations of its own, and code that needs them. */
import { copyTree, type Tree } from "../../support/copied-tree.ts";

const migrations: Record<string, string> = {
	"services/queue-ingest/migrations/9001_note.sql": `-- a note on each project, and a table of who wrote it
alter table projects add column note text not null default 'none yet';
create table note_writers (project_id text primary key references projects, writer text not null);
`,
	"services/queue-ingest/migrations/9002_note_index.sql": `-- alone: lists by note
create index concurrently if not exists projects_note on projects (note);
`,
	"services/signals/migrations/9001_note.sql": `-- a note on each copy, too
alter table projects add column note text;
alter table developers add column note text;
`,
};

/** The newer `getProject` returns the new column. */
export function makeNewerTree(): Tree {
	const tree = copyTree();
	for (const [file, text] of Object.entries(migrations)) tree.add(file, text);
	const raw = "|| ',\"raw\":'";
	tree.replace(
		"services/queue-ingest/queues/operations/get-project.ts",
		raw,
		`|| ',"note":' || to_json(p.note)::text ${raw}`,
	);
	return tree;
}
