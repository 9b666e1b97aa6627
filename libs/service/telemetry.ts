/**
 * Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT. Loaded before a service (`node --import ./libs/service/telemetry.ts main.ts`), and by
 * command-line programs. Without that variable nothing is loaded, and spans cost next to nothing. The other OTEL_ variables (service name,
 * sampler, headers) have OpenTelemetry's meaning.
 */
import { basename, dirname } from "node:path";
import { isMainThread } from "node:worker_threads";
import { runInNewTrace } from "#libs/bus/trace.ts";
import { within } from "#libs/contract/within.ts";

/** Maximum wait for the trace collector when a process ends (ms). */
const flushTimeoutMs = 3_000;

// Threads inherit the process's `--import`, but create no spans.
const tracingEnabled = isMainThread && Boolean(process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
const stop = tracingEnabled ? await startTracing() : async () => {};

/** Sends pending spans, within a time limit, and then stops tracing. Never throws, because losing traces is acceptable. */
export async function stopTelemetry(): Promise<void> {
	await within(
		stop().catch(() => {}),
		flushTimeoutMs,
	);
}

/** Runs a command-line program as one trace, and sends it before the program ends. */
export async function traceProgram<T>(name: string, run: () => Promise<T>): Promise<T> {
	try {
		return await runInNewTrace(name, run);
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
			// Reads OTEL_SERVICE_NAME, which takes precedence.
			.merge(detectResources({ detectors: [envDetector] })),
		spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
	});
	provider.register();
	return () => provider.shutdown();
}

/** The service that a program belongs to: its programs are in the folder with its name. */
function serviceOf(program: string): string {
	return /\/services\/([^/]+)\//.exec(program)?.[1] ?? (basename(dirname(program)) || "unknown");
}
