#!/usr/bin/env node
/** `eids`: the service on a command line. */
import { run } from "./run.ts";

// The reader of the pipe, such as `head`, may close it early; that is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit(0);
	throw error;
});
process.exitCode = await run(process.argv.slice(2));
