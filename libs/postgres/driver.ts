/**
 * postgres.js 3.4.9 with the corrections of `patches/postgres+3.4.9.patch` (`patches/README.md` says why each is there). `deploy/local/bootstrap.mjs` and the
 * Dockerfile apply them after the packages are installed; without them a process does not start.
 */
import postgres from "postgres";
import { traceStatements } from "./trace.ts";

export { postgres };

/** How many connections a pool may have and has, and how many statements wait for one. */
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

// The prototype of all statements, from one that is never run.
traceStatements(Object.getPrototypeOf(unused``));
