/// Tasks whose executor preference is a pool run on its threads instead of the cooperative ones.
///
/// For what others wait for while they block: if a program's tasks block every cooperative thread, as code
/// that was written for blocking calls does, a task for which they wait would never run there.
extension ThreadPool: TaskExecutor {
  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    do throws(SystemError) {
      try run { [self] in unsafe unowned.runSynchronously(on: asUnownedTaskExecutor()) }
    } catch {
      // No thread can be made: the cooperative ones are there already.
      globalConcurrentExecutor.enqueue(unowned)
    }
  }
}
