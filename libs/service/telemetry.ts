/**
 * Loaded before a service (`node --import ./libs/service/telemetry.ts main.ts`): sends traces where OTEL_EXPORTER_OTLP_ENDPOINT
 * says. Without that variable nothing is loaded, and the spans that the libraries make cost next to nothing. The other
 * OTEL_ variables (service name, sampler, headers) mean what OpenTelemetry says they mean.
 */

const stop = process.env.OTEL_EXPORTER_OTLP_ENDPOINT ? await startTracing() : async () => {};

/** Sends what is still waiting; no spans after this. */
export const stopTelemetry = (): Promise<void> => stop();

async function startTracing(): Promise<() => Promise<void>> {
	const { BatchSpanProcessor, NodeTracerProvider } = await import("@opentelemetry/sdk-trace-node");
	const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
	const { defaultResource, detectResources, envDetector } = await import("@opentelemetry/resources");
	const provider = new NodeTracerProvider({
		// The environment's name of the service is not read without being asked for.
		resource: defaultResource().merge(detectResources({ detectors: [envDetector] })),
		spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
	});
	provider.register();
	return () => provider.shutdown();
}
