import type { Handler } from "#libs/contract/index.ts";
import type { AsyncapiOptions } from "../documents/asyncapi.ts";
import { eventsPage } from "../documents/events-page.ts";

export function getEventDocs(options: AsyncapiOptions): Handler<"getEventDocs"> {
	const json = eventsPage(options);
	return async () => ({ json, dataVersion: 0 });
}
