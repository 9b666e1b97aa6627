/** Spans of statements. Nothing is recorded if the process has not loaded an OpenTelemetry SDK. */
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { codeOf } from "#libs/contract/errors.ts";

const tracer = trace.getTracer("postgres");

/** Maximum length of a statement's text in a span (characters). */
const maxTextCharacters = 2_000;

/** A postgres.js statement, with the fields that its span needs. A tagged template creates a statement; awaiting it runs it. */
interface Statement {
	executed: boolean;
	/** Whether the statement is from a tagged template: its text is then source code, and its values are parameters. */
	tagged: boolean;
	strings: readonly string[];
	/** The text with placeholders such as $1, once it has been sent. */
	string?: string;
	/** Set for a cursor, which gets no span because it lasts as long as its reader. */
	cursorRows?: number;
	resolve(rows: unknown): void;
	reject(error: unknown): void;
}

/**
 * Creates a span for every statement that runs inside a recorded span, in any pool or transaction. Statements outside of one, such as
 * polls and heartbeats, create none.
 */
export function traceStatements(prototype: { handle(): unknown }): void {
	const { handle } = prototype;
	prototype.handle = function (this: Statement & { handle(): unknown }) {
		if (!this.executed && this.cursorRows === undefined && trace.getActiveSpan()?.isRecording() === true)
			startSpan(this);
		return handle.call(this);
	};
}

function startSpan(statement: Statement): void {
	const { summary, operation } = summaryOf(statement);
	const attributes = { "db.system.name": "postgresql", "db.operation.name": operation, "db.query.summary": summary };
	const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes });
	const { resolve, reject } = statement;
	statement.resolve = (rows) => {
		endSpan(span, statement);
		resolve(rows);
	};
	statement.reject = (error) => {
		// The message is omitted, because it can contain a value; the log has it under the same trace.
		span.setAttribute("error.type", codeOf(error) || "unknown").setStatus({ code: SpanStatusCode.ERROR });
		endSpan(span, statement);
		reject(error);
	};
}

function endSpan(span: Span, { tagged, string }: Statement): void {
	// Text that is not from a template may contain a caller's input.
	if (tagged && string !== undefined) span.setAttribute("db.query.text", string.slice(0, maxTextCharacters));
	span.end();
}

interface Summary {
	summary: string;
	operation: string;
}

/** Keyed by template strings: a template literal passes the same array at every call. */
const summaries = new WeakMap<readonly string[], Summary>();

/** Summarizes a statement as `insert outbox`: the verb, and the table if the template's text names it. */
function summaryOf({ tagged, strings }: Statement): Summary {
	const cached = summaries.get(strings);
	if (cached !== undefined) return cached;
	const text = strings.join("$");
	const first = /^\s*([a-z]{2,12})/i.exec(text)?.[1]?.toLowerCase() ?? "statement";
	// The main statement follows the common table expressions.
	const operation = first === "with" ? (/\b(select|insert|update|delete)\b/.exec(text)?.[1] ?? first) : first;
	const target = tagged ? /\b(?:from|into|update|join)\s+([a-z_]{2,40})\b/.exec(text)?.[1] : undefined;
	const summary = { operation, summary: target === undefined ? operation : `${operation} ${target}` };
	summaries.set(strings, summary);
	return summary;
}

/** The current trace as a `traceparent`, for a message that is sent later; null if there is none. */
export function currentTraceparent(): string | null {
	const carrier: { traceparent?: string } = {};
	propagation.inject(context.active(), carrier);
	return carrier.traceparent ?? null;
}

/** IDs of the current span, for log lines; undefined if there is none. */
export function currentTrace(): { trace_id: string; span_id: string } | undefined {
	const span = trace.getActiveSpan()?.spanContext();
	if (span === undefined || span.traceId === "00000000000000000000000000000000") return undefined;
	return { trace_id: span.traceId, span_id: span.spanId };
}
