/** Long work on the server: start it, follow it by events, stop it, find it again. */

import { apiPath, get, post, remove, tellConnection } from "./api.js";

const ENDED = new Set(["done", "stopped", "failed"]);
const MOST_STREAMS = 2; // a browser opens few connections to one server: further jobs are asked after
const POLL = 700; // milliseconds between two questions about a job
const POLL_HIDDEN = 4000; // while the page is not looked at
let streams = 0;

export const hasEnded = (job) => ENDED.has(job.state);

/** What a job waits for, in words: its turn, or a compiler; nothing if it is at work. */
export function waitText(job) {
  if (!job || hasEnded(job)) return "";
  if (job.note) return job.note;
  if (job.state !== "queued") return "";
  return `waiting for a turn on the machine${job.place ? `, place ${job.place}` : ""} …`;
}

/** Start a job and follow it. Returns a Follower at once; errors reach `onError`. */
export function startJob(asked, onJob, onError) {
  const follower = new Follower(onJob, onError);
  post("/jobs", asked).then(
    (job) => follower.begin(job),
    (error) => follower.fail(error),
  );
  return follower;
}

/** Follow a job that is there already. */
export function followJob(job, onJob, onError) {
  const follower = new Follower(onJob, onError);
  follower.begin(job);
  return follower;
}

export const listJobs = () => get("/jobs");
export const readJob = (id) => get(`/jobs/${encodeURIComponent(id)}`);
export const stopJob = (id) => remove(`/jobs/${encodeURIComponent(id)}`);

class Follower {
  constructor(onJob, onError) {
    this.onJob = onJob;
    this.onError = onError || (() => {});
    this.job = null;
    this.isClosed = false;
    this.wantsStop = false;
    this.source = null;
    this.timer = 0;
  }

  get isRunning() {
    return !this.isClosed && !(this.job && hasEnded(this.job));
  }

  begin(job) {
    this.path = `/jobs/${encodeURIComponent(job.id)}`;
    if (this.wantsStop) stopJob(job.id).catch(() => {});
    if (this.isClosed) return;
    this.take(job);
    if (this.isRunning) this.listen();
  }

  take(job) {
    if (this.isClosed) return;
    this.job = job;
    if (hasEnded(job)) this.hangUp();
    this.onJob(job);
    if (hasEnded(job)) this.isClosed = true;
  }

  fail(error) {
    if (this.isClosed) return;
    this.hangUp();
    this.isClosed = true;
    this.onError(error);
  }

  listen() {
    if (streams >= MOST_STREAMS || document.hidden) {
      this.ask();
      return;
    }
    streams += 1;
    this.source = new EventSource(apiPath(`${this.path}/events`));
    this.source.onmessage = (event) => {
      tellConnection(false);
      this.take(JSON.parse(event.data));
    };
    this.source.onerror = () => {
      if (this.isClosed) return;
      this.hangUp(); // asking says whether the job or the connection is gone
      this.ask();
    };
  }

  /** Ask after the job now and then, until a stream is free again. */
  async ask() {
    try {
      this.take(await get(this.path));
    } catch (error) {
      this.fail(error);
      return;
    }
    if (!this.isRunning) return;
    const again = () => (streams < MOST_STREAMS && !document.hidden ? this.listen() : this.ask());
    this.timer = setTimeout(again, document.hidden ? POLL_HIDDEN : POLL);
  }

  hangUp() {
    clearTimeout(this.timer);
    if (!this.source) return;
    this.source.close();
    this.source = null;
    streams -= 1;
  }

  /** Ask the server to stop; what it found so far still arrives. */
  stop() {
    this.wantsStop = true;
    if (this.job && !hasEnded(this.job)) stopJob(this.job.id).catch((error) => this.onError(error));
  }

  /** Look away; `andStop` ends the work as well. */
  close(andStop = false) {
    if (andStop && this.isRunning) this.stop();
    this.hangUp();
    this.isClosed = true;
  }
}
