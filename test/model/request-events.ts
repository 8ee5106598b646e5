import { notSeen } from './activities.js';
import type { Event } from './event.js';
import type { Request } from './parts.js';
import { type Course, courses } from './provider.js';
import type { World } from './world.js';

/** What may happen to a request on its way to the provider and back. */
export function requestEvents(world: World, request: Request): Event[] {
  const { provider } = world;
  const { state, by, kind } = request;
  const from = `request of ${by?.task.name ?? 'nobody'} under ${request.key.slice(0, 10)}`;
  const found: Event[] = [];
  const answered = (answer: Request['answer'] & object): void => {
    request.state = 'answered';
    request.answer = answer;
    if (!request.by) drop(world, request);
  };
  if (state === 'answered') {
    const { answer } = request;
    found.push({
      label: `${from}: its answer arrives (${answer?.kind ?? 'none'})`,
      happen: async () => {
        drop(world, request);
        if (by) await world.hear(by, { value: answer });
      },
    });
  } else {
    const known = state === 'travels' ? provider.known(request.key) : undefined;
    if (known)
      found.push({ label: `${from}: arrives, its key is known (${known.kind})`, happen: () => answered(known) });
    else {
      for (const course of courses) {
        // A refund is made at once, and an e-mail is neither declined nor processed.
        if (kind !== 'charge' && (course === 'declined' || course === 'processing')) continue;
        found.push({
          label: `${from}: ${course}`,
          ...(course === 'done' ? {} : { fault: course }),
          happen: () => {
            if (isOpenCourse(course)) world.mayBeUnknown = true;
            answered(provider.execute(request, course));
          },
        });
      }
      if (state === 'travels') {
        found.push({
          label: `${from}: arrives, and is worked on`,
          fault: 'slow',
          happen: () => {
            request.state = 'works';
            provider.begin(request.key);
          },
        });
      }
    }
    if (state === 'travels') {
      found.push({
        label: `${from}: never arrives`,
        fault: 'lost request',
        happen: () => lose(world, request, true),
      });
    }
  }
  if (by)
    found.push({
      label: `${from}: its answer is not heard`,
      fault: 'lost answer',
      happen: () => lose(world, request, false),
    });
  return found;
}

const isOpenCourse = (course: Course): boolean =>
  course === 'processing' || course === 'stores a 500' || course === 'done, but stores a 500';

function drop(world: World, request: Request): void {
  world.requests = world.requests.filter((other) => other !== request);
}

async function lose(world: World, request: Request, whole: boolean): Promise<void> {
  world.mayBeUnknown = true;
  const { by } = request;
  request.by = undefined;
  if (whole || request.state === 'answered') drop(world, request);
  if (by) await world.hear(by, { value: notSeen });
}
