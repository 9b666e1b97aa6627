/** Which service a program of several services is meant for, told by its arguments. */
import { type EventName, events } from "../../libs/contract/index.ts";
import { services } from "./services.ts";

/** `queue-ingest` itself, or, where SERVICE is `owner`, the service that owns the named source (`ingest`) or event (`republish`). */
export function ownerOf(service: string, file: string, args: readonly string[]): string {
	if (service !== "owner") return service;
	return file === "republish.ts" ? publisherOf(args[0]) : ownerOfSource(args);
}

function ownerOfSource(args: readonly string[]): string {
	const at = args.indexOf("--source");
	const source = at < 0 ? args.find((arg) => arg.startsWith("--source="))?.slice("--source=".length) : args[at + 1];
	return services.find(({ sources }) => source !== undefined && sources?.includes(source))?.name ?? "queue-ingest";
}

function publisherOf(event: string | undefined): string {
	const name = (Object.keys(events) as EventName[]).find((key) => events[key].name === event);
	return name === undefined ? "queue-ingest" : events[name].publisher;
}
