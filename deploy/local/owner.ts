/** Which service a program of several services is meant for, by its arguments. */
import { extractOwners, extractSubject } from "../../libs/contract/extracts.ts";
import { type EventName, events } from "../../libs/contract/index.ts";
import { Sentence } from "./sentence.ts";
import { services } from "./services.ts";

/** `queue-ingest` itself, or, where SERVICE is `owner`, the service that owns the named source (`ingest`) or event or extracts (`republish`). */
export function ownerOf(service: string, file: string, args: readonly string[]): string {
	if (service !== "owner") return service;
	return file === "republish.ts" ? publisherOf(args[0]) : ownerOfSource(args);
}

function ownerOfSource(args: readonly string[]): string {
	const at = args.indexOf("--source");
	const source = at < 0 ? args.find((arg) => arg.startsWith("--source="))?.slice("--source=".length) : args[at + 1];
	return services.find(({ sources }) => source !== undefined && sources?.includes(source))?.name ?? "queue-ingest";
}

/** They tell that something happened: there is nothing to say again. */
const once: ReadonlySet<string> = new Set([
	"snapshot.applied",
	"list.drifted",
	"sample.left",
	"usage.exhausted",
	"usage.recorded",
]);

function publisherOf(event: string | undefined): string {
	const name = (Object.keys(events) as EventName[]).find((key) => events[key].name === event);
	if (name !== undefined) return events[name].publisher;
	const extracts = extractOwners.find((owner) => extractSubject(owner) === event);
	if (extracts !== undefined) return extracts;
	const known = (Object.keys(events) as EventName[]).map((key) => events[key].name).filter((one) => !once.has(one));
	throw new Sentence(`usage: npm run republish -- ${[...known, ...extractOwners.map(extractSubject)].join(" | ")}`);
}
