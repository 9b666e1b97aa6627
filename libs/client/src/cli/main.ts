#!/usr/bin/env node
/** `eids`: the service on a command line. */
import { run } from "./run.ts";

// The reader of the pipe has enough, as `head` has: that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit(0);
	throw error;
});
process.exitCode = await run(process.argv.slice(2));
