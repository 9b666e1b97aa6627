/**
 * Loaded before a service (`node --import ./libs/service/telemetry.ts main.ts`), and by programs that take in or say again: sends
 * traces where OTEL_EXPORTER_OTLP_ENDPOINT says. Without that variable nothing is loaded, and the spans that the libraries make
 * cost next to nothing. The other OTEL_ variables (service name, sampler, headers) mean what OpenTelemetry says they mean.
 */
import { basename, dirname } from "node:path";
import { isMainThread } from "node:worker_threads";
import { beginning } from "#libs/bus/trace.ts";
import { within } from "#libs/contract/within.ts";

/** Longest wait for the collector of traces, at the end (ms). */
const farewellMs = 3_000;

// The threads of a process, which inherit how it was started, make no spans.
const wanted = isMainThread && Boolean(process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
const stop = wanted ? await startTracing() : async () => {};

/** Sends what is still waiting, for a while; no spans after this. Never fails: that traces are lost ends nothing. */
export async function stopTelemetry(): Promise<void> {
	await within(
		stop().catch(() => {}),
		farewellMs,
	);
}

/** Runs a program by hand as one trace, which everything that it sets off is part of; sends it before it ends. */
export async function asProgram<T>(name: string, run: () => Promise<T>): Promise<T> {
	try {
		return await beginning(name, run);
	} finally {
		await stopTelemetry();
	}
}

async function startTracing(): Promise<() => Promise<void>> {
	const { BatchSpanProcessor, NodeTracerProvider } = await import("@opentelemetry/sdk-trace-node");
	const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
	const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
		"@opentelemetry/resources"
	);
	const provider = new NodeTracerProvider({
		resource: defaultResource()
			.merge(resourceFromAttributes({ "service.name": serviceOf(process.argv[1] ?? "") }))
			// The environment's name of the service is not read without being asked for.
			.merge(detectResources({ detectors: [envDetector] })),
		spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
	});
	provider.register();
	return () => provider.shutdown();
}

/** The programs of a service lie below the folder of its name. */
function serviceOf(program: string): string {
	return /\/services\/([^/]+)\//.exec(program)?.[1] ?? (basename(dirname(program)) || "unknown");
}
