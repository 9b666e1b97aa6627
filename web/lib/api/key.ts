/** The visitor's API key, as far as this browser keeps it: for the tab, or until it is removed. It is sent to this origin alone, as a header. */
import { useEffect, useState } from "preact/hooks";

export interface KeptKey {
	key: string;
	/** Beyond the tab. */
	isForGood: boolean;
}

const name = "api-key";
const shape = /^pk_[0-9A-Za-z]{38}$/;
/** In this tab; other tabs are notified by the browser, with `storage`. */
const changed = "key-changed";

export const isKey = (text: string): boolean => shape.test(text);

/** What a key is shown as where it need not be read. */
export const hintOf = (key: string): string => `${key.slice(0, 7)}…${key.slice(-4)}`;

export function keptKey(): KeptKey | undefined {
	for (const isForGood of [false, true]) {
		const key = storage(isForGood)?.getItem(name) ?? "";
		if (isKey(key)) return { key, isForGood };
	}
	return undefined;
}

export function keepKey({ key, isForGood }: KeptKey): void {
	storage(!isForGood)?.removeItem(name);
	storage(isForGood)?.setItem(name, key);
	dispatchEvent(new Event(changed));
}

export function forgetKey(): void {
	for (const isForGood of [false, true]) storage(isForGood)?.removeItem(name);
	dispatchEvent(new Event(changed));
}

/** A browser may refuse both. */
function storage(isForGood: boolean): Storage | undefined {
	try {
		return isForGood ? localStorage : sessionStorage;
	} catch {
		return undefined;
	}
}

/** The kept key, and again when it changes. */
export function useKey(): KeptKey | undefined {
	const [kept, setKept] = useState(keptKey);
	useEffect(() => {
		const read = () => setKept(keptKey());
		for (const type of [changed, "storage"]) addEventListener(type, read);
		return () => {
			for (const type of [changed, "storage"]) removeEventListener(type, read);
		};
	}, []);
	return kept;
}
