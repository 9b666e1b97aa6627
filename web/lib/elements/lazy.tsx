import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

interface LazyProps<P> {
	name: string;
	load(): Promise<ComponentType<P>>;
	props: P;
}

/** A part of the page whose code is loaded when it is first shown. */
export function Lazy<P extends object>({ name, load, props }: LazyProps<P>) {
	const [part, setPart] = useState<{ Part: ComponentType<P> } | "failed">();
	useEffect(() => {
		let isUnmounted = false;
		const set = (loaded: NonNullable<typeof part>) => isUnmounted || setPart(loaded);
		load().then(
			(Part) => set({ Part }),
			() => set("failed"),
		);
		return () => {
			isUnmounted = true;
		};
	}, []);
	if (part === "failed") return <p class="failure">The {name} could not be loaded: open the page again.</p>;
	return part === undefined ? <p>Loading the {name}.</p> : <part.Part {...props} />;
}
