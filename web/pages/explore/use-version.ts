import { useRef } from "preact/hooks";

/** Rises when what is known of the same question is no longer that of before: the answer to another question is no news. */
export function useVersion(question: string, known: string | undefined): string {
	const last = useRef({ question, known, version: 0 });
	if (last.current.question !== question) last.current = { ...last.current, question, known: undefined };
	if (known !== undefined && known !== last.current.known) {
		const { known: before, version } = last.current;
		last.current = { question, known, version: before === undefined ? version : version + 1 };
	}
	return String(last.current.version);
}
