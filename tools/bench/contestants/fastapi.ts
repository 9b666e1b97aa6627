/** The copy of the requests that the FastAPI server answers from, and that server. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Sql } from "#libs/postgres/connect.ts";
import { type Contestant, startContestant } from "../contest.ts";
import type { Bench } from "../system.ts";

const program = process.env.BENCH_PYTHON ?? "python3";

/** Undefined where Python, or what it needs, is not there: `pip install fastapi uvicorn`; `BENCH_PYTHON` names the Python that has them. */
export async function startFastApi(bench: Bench, say: (line: string) => void): Promise<Contestant | undefined> {
	try {
		execFileSync(program, ["-c", "import fastapi, uvicorn"], { stdio: "ignore" });
	} catch {
		say(`${program} has no fastapi and uvicorn: nothing is compared with them.`);
		return undefined;
	}
	const file = join(bench.directory, "projects.sqlite");
	await buildCopyStatement(file, bench.sql);
	const main = [
		"import os, uvicorn",
		'uvicorn.run("fastapi_sqlite:app", port=int(os.environ["PORT"]), access_log=False)',
	];
	return startContestant(bench, {
		name: "fastapi",
		program,
		args: ["-c", main.join("\n")],
		env: { SQLITE_FILE: file, PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: "1" },
		ready: "/projects?state=TX",
	});
}

/** Every generation request with the columns and in the order that lists show them, and the index that the question needs. */
async function buildCopyStatement(file: string, sql: Sql): Promise<void> {
	const bodies = await sql<{ body: string }[]>`select body from projects where kind = 'generation' order by id`;
	const projects = bodies.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
	const names = Object.keys(projects[0] ?? {});
	using database = new DatabaseSync(file);
	const declared = names.map((name) => `${name} ${name === "id" ? "text primary key" : typeOf(projects, name)}`);
	database.exec(`create table projects (${declared.join(", ")})`);
	const insert = database.prepare(`insert into projects values (${names.map(() => "?").join(", ")})`);
	database.exec("begin");
	for (const project of projects) insert.run(...names.map((name) => stored(project[name])));
	database.exec("commit");
	database.exec("create index projects_state on projects (state, id, capacity_mw); analyze");
}

function typeOf(projects: readonly Record<string, unknown>[], name: string): string {
	const known = projects.find((project) => project[name] !== null)?.[name];
	if (typeof known === "object") return "json";
	return typeof known === "string" ? "text" : typeof known === "number" ? "numeric" : "boolean";
}

function stored(value: unknown): string | number | null {
	if (typeof value === "boolean") return Number(value);
	if (typeof value === "object" && value !== null) return JSON.stringify(value);
	return typeof value === "string" || typeof value === "number" ? value : null;
}
