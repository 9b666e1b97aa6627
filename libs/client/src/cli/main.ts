#!/usr/bin/env node
/** `eids`: the service on a command line. */
import { run } from "./run.ts";

// Who reads the answer has enough, as `head` does: that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit(0);
	throw error;
});
process.exitCode = await run(process.argv.slice(2));
