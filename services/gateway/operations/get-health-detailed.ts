import type { Handler, Reply } from "#libs/contract/index.ts";
import type { AskOwners } from "./ask-owners.ts";

/** The databases of every service; of each the rows, size (MB) and last change. */
export function getHealthDetailed(ask: AskOwners): Handler<"getHealthDetailed"> {
	return async () => {
		const { databases } = await ask("describeDatabases");
		const reply: Reply<"getHealthDetailed"> = { status: "ok", databases };
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
