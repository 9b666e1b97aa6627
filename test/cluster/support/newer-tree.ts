/** The next release: a copy of this tree with migrations of its own, and code that needs them. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../deploy/local/data-dir.ts";

export interface Tree extends Disposable {
	path: string;
}

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

/** Its `getProject` says what the new column holds. */
export function makeNewerTree(): Tree {
	const path = realpathSync(mkdtempSync(join(tmpdir(), "energy-test-tree-")));
	for (const part of ["libs", "services", "deploy", "package.json"])
		cpSync(join(root, part), join(path, part), { recursive: true });
	symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
	for (const [file, text] of Object.entries(migrations)) writeFileSync(join(path, file), text);
	const file = join(path, "services/queue-ingest/queues/operations/get-project.ts");
	const [before, after, ...more] = readFileSync(file, "utf8").split("|| ',\"raw\":'");
	if (after === undefined || more.length > 0) throw new Error(`${file} is not as this test knows it`);
	writeFileSync(file, `${before}|| ',"note":' || to_json(p.note)::text || ',"raw":'${after}`);
	return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
