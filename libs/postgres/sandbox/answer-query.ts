/** The one answer that every owner of databases gives to a statement. */
import { unavailable } from "#libs/contract/errors.ts";
import type { Handler } from "#libs/contract/index.ts";
import type { Sandbox } from "./sandbox.ts";

/** Not kept under a data version: what a statement answers may depend on the clock, and is rarely asked again. */
export function answerQuery(sandbox: Sandbox | undefined): Handler<"queryQueues"> {
	return async (question) => {
		if (sandbox === undefined) throw unavailable("SQL is not set up here", 60);
		return { json: await sandbox.run(question), dataVersion: 0 };
	};
}
