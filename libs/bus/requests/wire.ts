/** Encodes parameters, replies and errors in NATS messages. */
import { headers, type Msg, type MsgHdrs } from "@nats-io/transport-node";
import { isErrorCode } from "#libs/contract/error-codes.ts";
import { AppError, type FieldError, invalid, unavailable } from "#libs/contract/errors.ts";
import { type OperationName, type OperationShape, operations, type RequestContext } from "#libs/contract/index.ts";
import { planNames } from "#libs/contract/vocabulary.ts";

/** How long the caller still waits (ms). It is counted from the request's arrival, so that clocks need not agree. */
const deadlineHeader = "Deadline-Ms";
/** The data version of the snapshot that a reply was read from. */
export const versionHeader = "Data-Version";
/** The owner's newest data version that the requester knows; without it, only the primary database may be read. */
const knownVersionHeader = "Known-Data-Version";
/** The account that the request concerns, for operations that need a key. Only the gateway may send one (NATS permissions). */
const accountHeader = "Account-Id";
const planHeader = "Account-Plan";
/** The requester's id of the request (`in-flight.ts`). */
export const requestIdHeader = "Request-Id";
/** The error headers of the NATS service protocol, which any NATS tool can read. */
const codeHeader = "Nats-Service-Error-Code";
const textHeader = "Nats-Service-Error";
const retryHeader = "Retry-After";
const countsHeader = "Counts";

type Context = Partial<Pick<RequestContext, "accountId" | "knownVersion" | "plan">>;

/** Headers of a request. `timeoutMs`: how long the requester waits. */
export function requestHeaders(timeoutMs: number, { accountId, plan, knownVersion }: Context): MsgHdrs {
	const messageHeaders = headers();
	messageHeaders.set(deadlineHeader, String(timeoutMs));
	if (accountId !== undefined) messageHeaders.set(accountHeader, String(accountId));
	if (plan !== undefined) messageHeaders.set(planHeader, plan);
	if (knownVersion !== undefined) messageHeaders.set(knownVersionHeader, String(knownVersion));
	return messageHeaders;
}

function numberIn(message: Msg, header: string): number | undefined {
	const text = message.headers?.get(header) ?? "";
	return text === "" ? undefined : Number(text);
}

export const deadlineOf = (message: Msg): number | undefined => numberIn(message, deadlineHeader) || undefined;

/** Whether a message has a requester, which has an inbox. A message that JetStream republishes to the subject of a request has none. */
export const hasRequester = ({ reply }: Msg): boolean => reply?.startsWith("_INBOX.") === true;

export const knownVersionOf = (message: Msg): number | undefined => numberIn(message, knownVersionHeader);

/** The account of a request, and its plan if the requester sent one. */
export function accountOf(message: Msg): Pick<RequestContext, "accountId" | "plan"> {
	const plan = message.headers?.get(planHeader);
	return { accountId: numberIn(message, accountHeader), plan: planNames.find((name) => name === plan) };
}

export const shapeOf = (name: OperationName): OperationShape => operations[name];

/**
 * The parameters of a message. They are parsed again, because the bus is a trust boundary.
 * @throws AppError 400 if the body is not JSON; 422, with the `loc` `["query", name]` of each invalid parameter
 */
export function paramsOf(name: OperationName, message: Msg): object {
	const parsed = shapeOf(name).params.safeParse(message.data.length === 0 ? {} : bodyOf(message));
	if (parsed.success) return parsed.data;
	const errors = parsed.error.issues.flatMap((issue): FieldError[] => {
		if (issue.code === "unrecognized_keys")
			return issue.keys.map((key) => ({ loc: ["query", key], msg: "is not a parameter" }));
		return [{ loc: ["query", ...issue.path.map(String)], msg: issue.message }];
	});
	throw invalid(errors);
}

function bodyOf(message: Msg): unknown {
	try {
		return message.json();
	} catch {
		throw new AppError(400, "the request's body is not JSON");
	}
}

/** Encodes an error as headers, which NATS tools can read, and a body with the fields of an HTTP error response. */
export function errorMessage(error: AppError): { body: string; headers: MsgHdrs } {
	const messageHeaders = headers();
	messageHeaders.set(codeHeader, String(error.status));
	// A header is one line of ASCII; the body has the whole text.
	messageHeaders.set(textHeader, error.message.replace(/[^\x20-\x7e]+/g, " ").slice(0, 500));
	if (error.retryAfterSeconds !== undefined) messageHeaders.set(retryHeader, String(error.retryAfterSeconds));
	if (error.counts !== undefined) messageHeaders.set(countsHeader, String(error.counts));
	return { body: JSON.stringify(error), headers: messageHeaders };
}

export function errorOf(message: Msg): AppError | undefined {
	const code = message.headers?.get(codeHeader) ?? "";
	if (code === "") return undefined;
	const body = parseBody(message);
	const retryAfterSeconds = numberIn(message, retryHeader);
	const counts = message.headers?.get(countsHeader) ?? "";
	return new AppError(Number(code), body.detail ?? message.headers?.get(textHeader) ?? "internal error", {
		...(isErrorCode(body.code) && { code: body.code }),
		...(body.errors !== undefined && { errors: body.errors }),
		...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
		...(counts !== "" && { counts: counts === "true" }),
	});
}

interface ErrorBody {
	detail?: string;
	code?: unknown;
	errors?: FieldError[];
}

function parseBody(message: Msg): ErrorBody {
	try {
		return message.json<ErrorBody>();
	} catch {
		return {};
	}
}

/** NATS' own response for a subject without a subscriber: status 503 without a body. */
export const isNoResponders = (message: Msg): boolean => message.data.length === 0 && message.headers?.code === 503;

export const noResponder = (name: OperationName): AppError =>
	unavailable(`the service that answers ${name} is not available`);
export const noReplyInTime = (name: OperationName): AppError => unavailable(`${name} did not respond in time`);
export const busUnavailable = (): AppError => unavailable("the message bus is not available");

/** The error that the caller receives instead of an unexpected one, whose cause is only logged. */
export const internalError = (): AppError => new AppError(500, "internal error");
