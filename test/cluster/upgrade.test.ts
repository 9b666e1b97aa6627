/** A rolling upgrade across a change of the schema: the old code serves while tables change under it, and the new replaces it one by one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyTree, type Tree } from "../support/copied-tree.ts";
import { type Fleet, startFleet } from "./support/fleet.ts";

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

/** The next release: a copy of this tree with migrations of its own. Its `getProject` returns the new column. */
function makeNewerTree(): Tree {
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

/** Runs a program of the new tree while the old one runs, as before each release. @returns its exit code */
async function migrate(tree: Tree, service: string, fleet: Fleet): Promise<number> {
	const env = { ...process.env, ...tree.env, POSTGRES_URL: fleet.database.urlOf(service) };
	const child = spawn(process.execPath, [join(tree.path, "services", service, "migrate.ts")], { env, stdio: "ignore" });
	const [code] = await once(child, "exit");
	return code;
}

test("while tables change and every service is replaced during reads and an ingest, no request fails and no event is lost", async () => {
	using tree = makeNewerTree();
	await using fleet = await startFleet({ "queue-ingest": 1, signals: 1, gateway: 1 });
	await using reading = fleet.readers();
	const noteOf = async (id: string | undefined) =>
		((await (await fleet.get(`/projects/${id}`)).json()) as { note?: string }).note;
	await reading.more(20);
	for (const service of ["queue-ingest", "signals"])
		expect([service, await migrate(tree, service, fleet)]).toEqual([service, 0]);

	// The old code goes on with the new tables.
	await reading.more(40);
	await fleet.lists.withdrawNext();
	await fleet.lists.addOne();
	await fleet.copiesAgree();
	expect(await noteOf(fleet.lists.ids[0])).toBeUndefined();

	for (const service of ["queue-ingest", "signals", "gateway"])
		for (const old of fleet.of(service)) {
			await fleet.replace(old, reading, { tree: tree.path });
			await fleet.lists.withdrawNext();
		}
	await reading.more(20);
	expect(reading.refused).toEqual([]);
	expect(await noteOf(fleet.lists.ids[0])).toBe("none yet");
	await fleet.copiesAgree();
}, 300_000);
