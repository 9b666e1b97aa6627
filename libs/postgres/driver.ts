/**
 * postgres.js 3.4.9 with the corrections of `patches/postgres+3.4.9.patch` (reasons in `patches/README.md`). `deploy/local/bootstrap.mjs` and
 * the Dockerfile apply them after the packages are installed; a process refuses to start without them.
 */
import postgres from "postgres";
import { traceStatements } from "./trace.ts";

export { postgres };

/** Maximum, busy and idle connections of a pool, and statements that wait for a connection. */
export interface PoolLoad {
	most: number;
	busy: number;
	idle: number;
	waiting: number;
}

const unused = postgres({ max: 1 });

if (!("load" in unused))
	throw new Error(
		"postgres.js lacks the corrections of patches/postgres+3.4.9.patch: `node deploy/local/bootstrap.mjs` installs and patches the packages",
	);

// Patches the prototype of all statements, taken from a statement that is never run.
traceStatements(Object.getPrototypeOf(unused``));
