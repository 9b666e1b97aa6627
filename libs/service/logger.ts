/** The log of a process: JSON lines on standard output, with their trace, without secrets. */
import { type DestinationStream, destination as fileStream, type Logger, pino } from "pino";
import { maskSecrets } from "#libs/contract/key.ts";
import { currentTrace } from "#libs/postgres/trace.ts";

export type { Logger };

export interface LoggerOptions {
	name: string;
	level?: string;
	/** Where lines are written (standard output when absent). */
	destination?: DestinationStream;
}

const secretFields = ["password", "authorization", "cookie", "apiKey", "api_key", "x-api-key", "token", "secret"];

export function createLogger({ name, level = "info", destination }: LoggerOptions): Logger {
	const options = {
		name,
		level,
		mixin: () => currentTrace() ?? {},
		redact: {
			paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
			censor: "***",
		},
		// Applied to the finished line, which includes messages of other libraries' errors.
		hooks: { streamWrite: withoutSecrets },
	};
	return pino(options, destination ?? standardOutput());
}

/** Maximum bytes buffered while the log cannot be written; lines beyond it are lost. */
const maxUnwritten = 1024 ** 2;

function standardOutput(): DestinationStream {
	// Synchronous, so that lines are in order and not lost when the process ends.
	const stream = fileStream({ dest: 1, sync: true, maxLength: maxUnwritten });
	// A full disk must not end a service. Buffered lines are written with the next line that succeeds.
	stream.on("error", () => {});
	return stream;
}

/** Masks the passwords of URLs and the values of secret query parameters. */
export function withoutSecrets(text: string): string {
	return maskSecrets(text)
		.replace(/(:\/\/[^\s:/?#"@]*:)[^\s/?#"@]+@/g, "$1***@")
		.replace(/([?&](?:api[_-]?key|access[_-]?token|key|token|secret|password|signature)=)[^\s&"\\]+/gi, "$1***");
}
